import { Command } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import { addSample } from '../../domain/clients/sample-clients.ts';
import type { Environment } from '../../domain/environment.ts';
import { findWorkspace } from '../../domain/members/index.ts';
import { withStore } from '../context.ts';
import { accountOption, environmentOption, examples, jsonOption, wholeNumber } from '../options.ts';
import { print } from '../output.ts';
import { plural } from '../plural.ts';

interface SampleOptions {
  account: string;
  environment: Environment;
  clients: number;
  groups: number;
  seed: number;
  json?: true;
}

export function sampleCommand(): Command {
  return new Command('sample')
    .description('Add realistic sample clients; the same seed produces the same clients')
    .addOption(accountOption())
    .addOption(environmentOption().makeOptionMandatory())
    .requiredOption('--clients <number>', 'how many clients to add', wholeNumber(1, 100_000_000))
    .option('--groups <number>', 'how many groups to divide them into', wholeNumber(1, 100_000), 6)
    .option('--seed <number>', 'the seed of the random data', wholeNumber(0, 2 ** 32 - 1), 1)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples('rollcall sample --account owner@keller.example --environment sandbox --clients 1000'),
    )
    .action((options: SampleOptions) =>
      withStore(async ({ store, clock }) => {
        const { clients, groups, seed, environment } = options;
        const workspaceId = await findWorkspace(store, options.account, environment);
        const added = await addSample({ ...store, clock }, OPERATOR, { workspaceId, clients, groups, seed });
        print(options.json, { added, environment }, `Added ${plural(added, 'sample client')} to ${environment}.`);
      }),
    );
}
