import { dirname, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { loadConfig } from '../config.ts';
import { formatTime } from '../domain/time.ts';
import { backUpDatabase } from '../store/back-up-database.ts';
import { removeAbandoned } from '../store/engines/sqlite/unfinished-file.ts';
import { formatBytes, stepProgress } from './backup-output.ts';
import { interruptible } from './interruption.ts';
import { lowerPriority } from './lower-priority.ts';
import { examples, jsonOption } from './options.ts';
import { print } from './output.ts';
import { plural } from './plural.ts';

const HELP = `
The service may be running. The backup has every change that was acknowledged before it began. It is compressed (zstd) and ends
with a digest, so that damage is noticed. Until it is complete, it has another name, and it never overwrites a file.

The secret of the installation is not in it, and a restored database cannot be served without it: keep a copy of ROLLCALL_SECRET,
or of the file rollcall.secret beside the database, elsewhere. With PostgreSQL, use pg_dump or point-in-time recovery.
docs/backup.md describes all of this.
${examples('rollcall backup /mnt/backups/before-the-upgrade.db.zst')}`;

export function backupCommand(): Command {
  return (
    new Command('backup')
      .description('Back up an SQLite database to a new file, also while the service is running')
      .argument('<file>', 'the file to write, which must not exist')
      .addOption(jsonOption())
      // For the service, before a backup is due.
      .addOption(
        new Option('--remove-leftovers', 'only remove what killed backups have left beside the file').hideHelp(),
      )
      .addHelpText('after', HELP)
      .action(async (file: string, options: { json?: true; removeLeftovers?: true }) => {
        if (options.removeLeftovers) return removeAbandoned(dirname(resolve(file)));
        const { databaseUrl } = loadConfig();
        const clock = { now: () => Date.now() };
        const backup = await interruptible((signal) =>
          stepProgress((progress) =>
            backUpDatabase(databaseUrl, file, { clock, signal, progress, onStart: lowerPriority }),
          ),
        );
        const { clients, groups, workspaces } = backup.totals;
        const counts = `${plural(clients, 'client')} in ${plural(groups, 'group')} of ${plural(workspaces, 'workspace')}`;
        const size = `${formatBytes(backup.bytes)}, unpacked ${formatBytes(backup.databaseBytes)}`;
        const text = `Backed up ${counts} to ${backup.file} (${size}).\nThe secret of the installation is not in the backup: keep a copy of it elsewhere.`;
        const made = { file: backup.file, made_at: formatTime(backup.madeAt), bytes: backup.bytes };
        print(options.json, { ...made, database_bytes: backup.databaseBytes, totals: backup.totals }, text);
      })
  );
}
