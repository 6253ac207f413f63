import { Command } from 'commander';
import { OPERATOR } from '../domain/change.ts';
import { rebuildIndexes } from '../domain/clients/index.ts';
import { Failure } from '../domain/failure.ts';
import { withStore } from './context.ts';
import { examples, jsonOption } from './options.ts';
import { print } from './output.ts';
import { plural } from './plural.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check whether the stored data is consistent; the exit code is 1 if it is not')
    .option('--repair', 'rebuild the counted index and the index of words before checking')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `\nNothing is changed unless --repair is given. Until the repair is done, the service can be read but refuses changes.\n${examples('rollcall doctor', 'rollcall doctor --repair')}`,
    )
    .action((options: { repair?: true; json?: true }) =>
      withStore(
        async ({ store, clock }) => {
          if (options.repair) await rebuildIndexes({ ...store, clock }, OPERATOR);
          const { checked, problems } = await store.checkConsistency();
          const { clients, groups, workspaces } = checked;
          const counts = `${plural(clients, 'client')} in ${plural(groups, 'group')} of ${plural(workspaces, 'workspace')}`;
          const lines = problems.length ? problems : [`No problems were found in ${counts}.`];
          print(options.json, { ok: problems.length === 0, checked, problems }, lines.join('\n'));
          if (problems.length > 0)
            throw new Failure('conflict', `Found ${plural(problems.length, 'problem')} in ${counts}.`);
        },
        { skipMigrations: true },
      ),
    );
}
