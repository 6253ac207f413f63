import { Command } from 'commander';
import { ConfigError, isDatabaseUrl, loadConfig } from '../config.ts';
import { copyDatabase } from '../store/copy-database.ts';
import { examples, jsonOption } from './options.ts';
import { print, printMessage } from './output.ts';
import { plural } from './plural.ts';

interface CopyOptions {
  from?: string;
  to?: string;
  json?: true;
}

export function copyCommand(): Command {
  return new Command('copy')
    .description('Copy a whole database into an empty one, and check the copy')
    .option('--from <url>', 'the database to copy (default: ROLLCALL_DATABASE_URL)')
    .option(
      '--to <url>',
      'the empty database (default: ROLLCALL_DATABASE_URL, which keeps its password off the command line)',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nStop the service first: changes that are made during the copy are not copied.\n' +
        examples('rollcall copy --from sqlite:./data/rollcall.db --to postgres://user:password@host:5432/rollcall'),
    )
    .action(async (options: CopyOptions) => {
      const { databaseUrl } = loadConfig();
      const from = requireDatabaseUrl('--from', options.from ?? databaseUrl);
      const to = requireDatabaseUrl('--to', options.to ?? databaseUrl);
      if (from === to) throw new ConfigError('--from and --to are the same database.');
      const tables = await copyDatabase(from, to, (step, table, rows) =>
        printMessage(`${step} ${plural(rows, 'row')} of ${table}`),
      );
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const text = `Copied and checked ${plural(rows, 'row')} in ${plural(tables.length, 'table')}.`;
      print(options.json, { tables, checked: true }, text);
    });
}

/** The message does not repeat the value, which may contain a password. */
function requireDatabaseUrl(option: string, value: string): string {
  if (isDatabaseUrl(value)) return value;
  throw new ConfigError(`${option} must be "sqlite:" followed by the path of a file, or a postgres:// URL.`);
}
