import { Command } from 'commander';
import { withStore } from './context.ts';
import { jsonOption } from './options.ts';
import { print } from './output.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the database schema up to date; every other command does so too')
    .addOption(jsonOption())
    .action((options: { json?: true }) =>
      withStore(async () => print(options.json, { migrated: true }, 'The database schema is up to date.')),
    );
}
