import { Command } from 'commander';
import { withStoreOrNew } from './context.ts';
import { jsonOption } from './options.ts';
import { print } from './output.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Make the database if there is none, and bring its schema up to date')
    .addOption(jsonOption())
    .action((options: { json?: true }) =>
      withStoreOrNew(async () => print(options.json, { migrated: true }, 'The database schema is up to date.')),
    );
}
