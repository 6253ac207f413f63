import { Command } from 'commander';
import { OPERATOR } from '../domain/change.ts';
import { rebuildIndexes } from '../domain/clients/index.ts';
import { Failure } from '../domain/failure.ts';
import { withStore } from './context.ts';
import { jsonOption } from './options.ts';
import { print } from './output.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check the stored data against itself, and change nothing; exits with 1 when something is wrong')
    .option('--repair', 'build the counted index anew before checking')
    .addOption(jsonOption())
    .action((options: { repair?: true; json?: true }) =>
      withStore(
        async ({ store, clock }) => {
          if (options.repair) await rebuildIndexes({ ...store, clock }, OPERATOR);
          const { checked, problems } = await store.examine();
          const counts = `${checked.clients} clients in ${checked.groups} groups of ${checked.workspaces} workspaces`;
          const lines = problems.length ? problems : [`All is well: ${counts} checked.`];
          print(options.json, { ok: problems.length === 0, checked, problems }, lines.join('\n'));
          if (problems.length > 0) throw new Failure('conflict', `Found ${problems.length} problems in ${counts}.`);
        },
        { asItIs: true },
      ),
    );
}
