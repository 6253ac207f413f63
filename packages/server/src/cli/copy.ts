import { Command } from 'commander';
import { ConfigError, isDatabaseUrl, loadConfig } from '../config.ts';
import { copyDatabase } from '../store/copy-database.ts';
import { jsonOption } from './options.ts';
import { print, tell } from './output.ts';

interface CopyOptions {
  from?: string;
  to?: string;
  json?: true;
}

export function copyCommand(): Command {
  return new Command('copy')
    .description('Copy everything from one database into another, empty one, and check it')
    .option('--from <url>', 'where from; ROLLCALL_DATABASE_URL unless given')
    .option('--to <url>', 'where to; ROLLCALL_DATABASE_URL unless given, which keeps a password off the command line')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nStop the service first: what changes during the copy stays behind.\n' +
        '\nExample:\n  $ rollcall copy --from sqlite:./data/rollcall.db --to postgres://user:password@host:5432/rollcall',
    )
    .action(async (options: CopyOptions) => {
      const { databaseUrl } = loadConfig();
      const from = address('--from', options.from ?? databaseUrl);
      const to = address('--to', options.to ?? databaseUrl);
      if (from === to) throw new ConfigError('--from and --to are the same database.');
      const tables = await copyDatabase(from, to, (step, table, rows) => tell(`${step} ${rows} rows of ${table}`));
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const text = `Copied and checked ${rows} rows in ${tables.length} tables.`;
      print(options.json, { tables, checked: true }, text);
    });
}

/** The value is not repeated: it may hold a password. */
function address(option: string, value: string): string {
  if (isDatabaseUrl(value)) return value;
  throw new ConfigError(`${option} must be "sqlite:" and the path of a file, or postgres://….`);
}
