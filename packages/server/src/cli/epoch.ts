import { Command } from 'commander';
import { renewEpoch } from '../domain/epoch.ts';
import { withStore } from './context.ts';
import { jsonOption } from './options.ts';
import { print } from './output.ts';

export function epochCommand(): Command {
  return new Command('epoch')
    .description('The epoch of the database: what tells its versions from those before a restore')
    .addCommand(renewCommand());
}

function renewCommand(): Command {
  return new Command('renew')
    .description('Begin a new epoch, after a backup was restored in place: nothing cached before is used again')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nA file or a server that was put in the place of another is noticed by itself.\n' +
        '\nExample:\n  $ pg_restore --clean --dbname=rollcall backup.dump && rollcall epoch renew',
    )
    .action((options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        const epoch = await renewEpoch({ ...store, clock });
        print(options.json, { epoch }, `The database has begun a new epoch, ${epoch}.`);
      }),
    );
}
