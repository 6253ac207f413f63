import { Command } from 'commander';
import { withStoreOrCreate } from './context.ts';
import { examples, jsonOption } from './options.ts';
import { print } from './output.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Create the database if it does not exist, and bring its schema up to date')
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall migrate'))
    .action((options: { json?: true }) =>
      withStoreOrCreate(async () => print(options.json, { migrated: true }, 'The database schema is up to date.')),
    );
}
