import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { type BackupTotals, latestBackup } from '../domain/backup-schedule.ts';
import { Failure } from '../domain/failure.ts';
import { formatTime } from '../domain/time.ts';
import { backupOwnerOf } from '../store/back-up-database.ts';
import { openStore } from '../store/open-store.ts';
import { withRestored } from '../store/restore-database.ts';
import { stepProgress } from './backup-output.ts';
import { problemWithSecret } from './backup-secret.ts';
import { interruptible } from './interruption.ts';
import { examples, jsonOption } from './options.ts';
import { print, printMessage } from './output.ts';
import { plural } from './plural.ts';

const HELP = `
The backup is restored to a folder in TMPDIR, which is removed afterwards, and checked there as \`rollcall doctor\` does. What is
counted must be what the backup says it has, and the secret of this installation must open it. The exit code is 0 only if all of
this is so. The database of the service is not touched.
${examples('rollcall drill', 'rollcall drill /mnt/backups/before-the-upgrade.db.zst')}`;

export function drillCommand(): Command {
  return new Command('drill')
    .description('Try whether the latest backup can be restored, without touching the database')
    .argument('[file]', 'the backup to try (default: the latest one in ROLLCALL_BACKUP_DIR)')
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (given: string | undefined, options: { json?: true }) => {
      const config = loadConfig();
      const file = given === undefined ? await latestOwn(config) : resolve(given);
      const { madeAt, totals, problems } = await tryBackup(file, config);
      const ageSeconds = Math.round((Date.now() - madeAt) / 1000);
      const counts = `${plural(totals.clients, 'client')} in ${plural(totals.groups, 'group')} of ${plural(totals.workspaces, 'workspace')}`;
      const outcome = problems.length > 0 ? problems : ['It can be restored: no problems were found.'];
      const text = [`${file} was made ${formatAge(ageSeconds)} ago and has ${counts}.`, ...outcome].join('\n');
      const result = { ok: problems.length === 0, file, made_at: formatTime(madeAt), age_seconds: ageSeconds };
      print(options.json, { ...result, totals, problems }, text);
      if (problems.length > 0) {
        throw new Failure('conflict', `Found ${plural(problems.length, 'problem')} in the backup ${file}.`);
      }
    });
}

interface DrillResult {
  madeAt: number;
  totals: BackupTotals;
  problems: string[];
}

function tryBackup(file: string, config: Config): Promise<DrillResult> {
  return interruptible((signal) =>
    stepProgress((progress) =>
      withRestored(file, tmpdir(), { signal, progress }, async (url, { madeAt, totals }) => {
        const store = openStore(url);
        try {
          await store.migrate();
          const { checked, problems } = await store.checkConsistency();
          const secret = problemWithSecret(config, await store.sealed.secretId());
          const found = [...differences(totals, checked), ...problems, ...(secret ? [secret] : [])];
          return { madeAt, totals, problems: found };
        } finally {
          await store.close();
        }
      }),
    ),
  );
}

function differences(recorded: BackupTotals, found: BackupTotals): string[] {
  return (['workspaces', 'groups', 'clients'] as const)
    .filter((what) => recorded[what] !== found[what])
    .map((what) => `The backup had ${recorded[what]} ${what} when it was made, and now has ${found[what]}.`);
}

/** Where there is no database, as on another machine, any backup may be the one that is needed. */
async function latestOwn({ databaseUrl, backups: { folder } }: Config): Promise<string> {
  if (folder === undefined)
    throw new ConfigError('Name a backup, or set ROLLCALL_BACKUP_DIR to the folder of backups.');
  const [names, owner, now] = [readdirSync(folder), await backupOwnerOf(databaseUrl), Date.now()];
  const [latest, own] = [latestBackup(names, now), latestBackup(names, now, owner)];
  if (latest === undefined) {
    throw new Failure('not_found', `There is no backup that the service has made in ${folder}.`);
  }
  if (own === undefined) {
    const found = `All backups in ${folder} are of other databases; the newest is ${latest}.`;
    throw new Failure('not_found', `${found} To try one nevertheless, name it.`);
  }
  if (own !== latest) printMessage(`rollcall: The newest backup in ${folder}, ${latest}, is of another database.`);
  return join(folder, own);
}

function formatAge(seconds: number): string {
  if (seconds < 120) return plural(seconds, 'second');
  if (seconds < 2 * 3600) return plural(Math.round(seconds / 60), 'minute');
  if (seconds < 48 * 3600) return plural(Math.round(seconds / 3600), 'hour');
  return plural(Math.round(seconds / 86_400), 'day');
}
