import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { formatTime } from '../domain/time.ts';
import { restoreDatabase } from '../store/restore-database.ts';
import { stepProgress } from './backup-output.ts';
import { problemWithSecret } from './backup-secret.ts';
import { interruptible } from './interruption.ts';
import { examples, jsonOption } from './options.ts';
import { print, printMessage } from './output.ts';
import { plural } from './plural.ts';

const HELP = `
The database of ROLLCALL_DATABASE_URL is made from the backup. It must not exist: stop the service, and move the former file and
those that end in -wal and -shm away first. The backup is verified before anything is written, and the database gets its name only
when it is complete, so nothing is half done if the command is interrupted.

A new epoch begins, so that nothing that callers have cached before is used again. Provide the secret that was in use when the
backup was made, too. What was erased, revoked or removed after the backup was made is there again: docs/backup.md lists what to
repeat.
${examples('rollcall restore /mnt/backups/rollcall-20260131T060000Z-5f3a9c07.db.zst')}`;

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Make an SQLite database from a backup; an existing one is never overwritten')
    .argument('<file>', 'a file that `rollcall backup` or the service has made')
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (file: string, options: { json?: true }) => {
      const config = loadConfig();
      const restored = await interruptible((signal) =>
        stepProgress((progress) => restoreDatabase(file, config.databaseUrl, { signal, progress })),
      );
      const { database, totals, secretId } = restored;
      const madeAt = formatTime(restored.madeAt);
      const problem = problemWithSecret(config, secretId);
      if (problem) printMessage(`rollcall: The secret is not here yet, and \`serve\` needs it. ${problem}`);
      const counts = `${plural(totals.clients, 'client')} in ${plural(totals.groups, 'group')}`;
      const text = `Restored ${database} with ${counts}, as of ${madeAt}. Check it with \`rollcall doctor\`.`;
      print(options.json, { database, made_at: madeAt, totals, has_secret: problem === undefined }, text);
    });
}
