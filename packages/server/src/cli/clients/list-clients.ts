import { Command, Option } from 'commander';
import { toPageRecord, toRecord } from '../../domain/clients/client-record.ts';
import { type FoundClients, findClients } from '../../domain/clients/search-clients.ts';
import { searchedWords } from '../../domain/clients/words.ts';
import type { Environment } from '../../domain/environment.ts';
import { findWorkspace } from '../../domain/members/index.ts';
import { withStore } from '../context.ts';
import { accountOption, environmentOption, examples, jsonOption, wholeNumber } from '../options.ts';
import { formatTable, print } from '../output.ts';
import { plural } from '../plural.ts';
import { addFilterOptions, type FilterOptions, toFilter } from './list-options.ts';

const WORKSPACE = '--account owner@keller.example --environment sandbox';

interface ListOptions extends FilterOptions {
  account: string;
  environment: Environment;
  search?: string;
  pageNo: number;
  pageLimit: number;
  json?: true;
}

export function listCommand(): Command {
  const command = new Command('list')
    .description('List clients, newest first, or search them by words')
    .addOption(accountOption())
    .addOption(environmentOption().makeOptionMandatory())
    .option(
      '--search <words>',
      'only clients that have all these words, or words that begin with them, in their name, email, reference or external id',
    );
  return addFilterOptions(command)
    .addOption(pageOption('--page-no <number>', 'the number of the page', 1_000_000_000).default(1))
    .addOption(pageOption('--page-limit <number>', 'clients per page, 1 to 1000', 1000).default(10))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        `rollcall client list --request-status pending ${WORKSPACE}`,
        `rollcall client list --search "okafor fatima" ${WORKSPACE}`,
      ),
    )
    .action((options: ListOptions) =>
      withStore(async ({ store }) => {
        const workspaceId = await findWorkspace(store, options.account, options.environment);
        const found = await findClients(store, workspaceId, {
          ...toFilter(options),
          words: options.search === undefined ? undefined : searchedWords(options.search),
          pageNumber: options.pageNo,
          pageLimit: options.pageLimit,
        });
        print(options.json, toPageRecord(found), toText(found));
      }),
    );
}

function pageOption(flags: string, description: string, maximum: number): Option {
  return new Option(flags, description).argParser(wholeNumber(1, maximum));
}

function toText(found: FoundClients): string {
  const { clients, isTotalExact, totalCount, pageNumber, totalPages } = found;
  const total = isTotalExact ? plural(totalCount, 'client') : `more than ${totalCount.toLocaleString('en')} clients`;
  if (clients.length === 0) return totalCount === 0 ? 'No clients were found.' : `There are no more pages: ${total}.`;
  const rows = clients.map(toRecord).map((each) => {
    return [each.reference_id, each.client_name, each.email, each.group_name, each.request_status];
  });
  const table = formatTable(['REFERENCE', 'NAME', 'EMAIL', 'GROUP', 'REQUEST STATUS'], rows);
  return `${table}\nPage ${pageNumber} of ${totalPages}, ${total}`;
}
