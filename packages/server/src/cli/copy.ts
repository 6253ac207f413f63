import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';

import { ConfigError, isDatabaseUrl, loadConfig } from '../config.ts';
import { InstallationSecret, SECRET_FORM } from '../domain/sealed-text.ts';
import { type CopyProgress, copyDatabase } from '../store/copy-database.ts';
import { examples, jsonOption } from './options.ts';
import { print, printMessage } from './output.ts';
import { plural } from './plural.ts';

interface CopyOptions {
  from?: string;
  to?: string;
  targetSecret?: string;
  json?: true;
}

const HELP = `
Stop the service first: changes that are made during the copy are not copied.

Signing keys and second factors are decrypted with the secret of the source and encrypted with the secret of the copy, which
is never part of it. The source may have been encrypted with ROLLCALL_SECRET or with the file rollcall.secret in its folder.
The copy gets the secret that a service with these settings would use: ROLLCALL_SECRET if it is set, and otherwise the file
rollcall.secret in the folder of the new SQLite database, which is made if it is missing. --target-secret names another one.
${examples('ROLLCALL_SECRET=… rollcall copy --from sqlite:./data/rollcall.db --to postgres://user:password@host:5432/rollcall')}`;

export function copyCommand(): Command {
  return new Command('copy')
    .description('Copy a whole database into an empty one, and check the copy')
    .option('--from <url>', 'the database to copy (default: ROLLCALL_DATABASE_URL)')
    .option(
      '--to <url>',
      'the empty database (default: ROLLCALL_DATABASE_URL, which keeps its password off the command line)',
    )
    .option(
      '--target-secret <file>',
      'a file with the secret of the empty database, if it is not the one of the settings; - reads it from stdin',
    )
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (options: CopyOptions) => {
      const { databaseUrl, secrets: settings } = loadConfig();
      const from = requireDatabaseUrl('--from', options.from ?? databaseUrl);
      const to = requireDatabaseUrl('--to', options.to ?? databaseUrl);
      if (from === to) throw new ConfigError('--from and --to are the same database.');
      const target = options.targetSecret === undefined ? undefined : readSecret(options.targetSecret);
      const progress: CopyProgress = (step, table, rows) => printMessage(`${step} ${plural(rows, 'row')} of ${table}`);
      const tables = await copyDatabase(from, to, progress, { settings, target });
      const place = options.targetSecret ? 'the secret that was given' : secretPlace(to, settings);
      printMessage(
        `Signing keys and second factors in the copy are encrypted with ${place}, which is not part of the copy. Keep a copy elsewhere.`,
      );
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const text = `Copied and checked ${plural(rows, 'row')} in ${plural(tables.length, 'table')}.`;
      print(options.json, { tables, checked: true }, text);
    });
}

/** Where a service with these settings finds the secret of the database. */
function secretPlace(databaseUrl: string, settings: readonly InstallationSecret[]): string {
  if (settings.length > 0) return 'ROLLCALL_SECRET';
  return `the file rollcall.secret in ${dirname(resolve(databaseUrl.slice('sqlite:'.length)))}`;
}

function readSecret(file: string): InstallationSecret {
  const secret = InstallationSecret.parse(readFileSync(file === '-' ? 0 : file, 'utf8').trim());
  if (secret) return secret;
  throw new ConfigError(`--target-secret must be a file that contains ${SECRET_FORM}.`);
}

/** The message does not repeat the value, which may contain a password. */
function requireDatabaseUrl(option: string, value: string): string {
  if (isDatabaseUrl(value)) return value;
  throw new ConfigError(`${option} must be "sqlite:" followed by the path of a file, or a postgres:// URL.`);
}
