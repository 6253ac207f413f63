import { Command } from 'commander';
import { renewEpoch } from '../domain/epoch.ts';
import { withStore } from './context.ts';
import { examples, jsonOption } from './options.ts';
import { print } from './output.ts';

export function epochCommand(): Command {
  return new Command('epoch')
    .description('Manage the epoch of the database, which distinguishes its data from before and after a restore')
    .addCommand(renewCommand())
    .addHelpText('after', examples('rollcall epoch renew'));
}

function renewCommand(): Command {
  return new Command('renew')
    .description('Start a new epoch after a backup was restored in place, so that nothing cached earlier is used again')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nThis is not needed when the database file or the server was replaced by another one: Rollcall notices that itself.\n' +
        examples('pg_restore --clean --dbname=rollcall backup.dump && rollcall epoch renew'),
    )
    .action((options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        const epoch = await renewEpoch({ ...store, clock });
        print(options.json, { epoch }, `Started a new epoch of the database: ${epoch}.`);
      }),
    );
}
