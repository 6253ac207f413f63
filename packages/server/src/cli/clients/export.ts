import { createHash } from 'node:crypto';
import { Command, Option } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import { exportClients, recordExport } from '../../domain/clients/export-clients.ts';
import type { Environment } from '../../domain/environment.ts';
import { findAccount } from '../../domain/members/index.ts';
import { FORMATS, type Format } from '../../files/read-clients.ts';
import { exportHeader, exportLines } from '../../files/write-clients.ts';
import { withStore } from '../context.ts';
import { accountOption, environmentOption, examples } from '../options.ts';
import { printMessage, writeOutput } from '../output.ts';
import { plural } from '../plural.ts';
import { addFilterOptions, type FilterOptions, toFilter } from './list-options.ts';

interface ExportOptions extends FilterOptions {
  account: string;
  environment: Environment;
  format: Format;
}

export function exportCommand(): Command {
  const command = new Command('export')
    .description('Write clients to stdout, oldest first, as a consistent snapshot')
    .addOption(accountOption())
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(new Option('--format <format>', 'the format of the output').choices(FORMATS).default('csv'));
  return addFilterOptions(command)
    .addHelpText(
      'after',
      examples('rollcall export --account owner@keller.example --environment production > clients.csv'),
    )
    .action((options: ExportOptions) =>
      withStore(async ({ store, clock }) => {
        const { account: email, environment, format } = options;
        const account = await findAccount(store, email);
        const workspaceId = await store.accounts.workspaceId(account.id, environment);
        const operator = { ...OPERATOR, accountId: account.id };
        const search = toFilter(options);
        const request = { workspaceId, environment, format, search };
        const recordEnd = await recordExport({ ...store, clock }, operator, request);
        const batches = exportClients(store, workspaceId, search);
        const digest = createHash('sha256');
        const write = async (text: string) => {
          digest.update(text);
          await writeOutput(text);
        };
        let rows = 0;
        try {
          await write(exportHeader(options.format));
          for await (const clients of batches) {
            rows += clients.length;
            await write(exportLines(options.format, clients));
          }
        } finally {
          await recordEnd(rows);
        }
        printMessage(`${plural(rows, 'row')}, sha256 ${digest.digest('hex')}`);
      }),
    );
}
