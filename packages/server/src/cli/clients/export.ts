import { createHash } from 'node:crypto';
import { Command, Option } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import { CLIENT_STATUSES, CLIENT_TYPES, type ClientStatus, type ClientType } from '../../domain/clients/client.ts';
import { exportClients, recordExport } from '../../domain/clients/export-clients.ts';
import type { RequestStatus } from '../../domain/clients/request-status.ts';
import type { Environment } from '../../domain/environment.ts';
import { findAccount } from '../../domain/members/index.ts';
import { FORMATS, type Format } from '../../files/read-clients.ts';
import { exportHeader, exportLines } from '../../files/write-clients.ts';
import { withStore } from '../context.ts';
import { accountOption, environmentOption, examples } from '../options.ts';
import { printMessage, writeOutput } from '../output.ts';
import { plural } from '../plural.ts';
import {
  createdOption,
  externalIdOption,
  groupTokenOption,
  referenceIdOption,
  requestStatusOption,
} from './list-options.ts';

interface ExportOptions {
  account: string;
  environment: Environment;
  format: Format;
  clientEmail?: string;
  groupName?: string;
  groupToken?: string[];
  requestStatus?: RequestStatus[];
  clientType?: ClientType;
  clientStatus?: ClientStatus;
  referenceId?: string[];
  externalId?: string[];
  createdFrom?: number;
  createdTo?: number;
}

export function exportCommand(): Command {
  return new Command('export')
    .description('Write clients to stdout, oldest first, as a consistent snapshot')
    .addOption(accountOption())
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(new Option('--format <format>', 'the format of the output').choices(FORMATS).default('csv'))
    .option('--client-email <email>', 'export only clients with this email')
    .option('--group-name <name>', 'export only clients in this group')
    .addOption(groupTokenOption())
    .addOption(requestStatusOption())
    .addOption(new Option('--client-type <type>', 'export only clients of this type').choices(CLIENT_TYPES))
    .addOption(
      new Option('--client-status <status>', 'export only active or only inactive clients').choices(CLIENT_STATUSES),
    )
    .addOption(referenceIdOption())
    .addOption(externalIdOption())
    .addOption(createdOption('from', 'at this time or later'))
    .addOption(createdOption('to', 'before this time'))
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
        await recordExport({ ...store, clock }, operator, { environment, format });
        const batches = exportClients(store, workspaceId, {
          email: options.clientEmail,
          groupName: options.groupName,
          groupTokens: options.groupToken,
          requestStatuses: options.requestStatus,
          clientType: options.clientType,
          clientStatus: options.clientStatus,
          referenceIds: options.referenceId,
          externalIds: options.externalId,
          createdFrom: options.createdFrom,
          createdUntil: options.createdTo,
        });
        const digest = createHash('sha256');
        const write = async (text: string) => {
          digest.update(text);
          await writeOutput(text);
        };
        let rows = 0;
        await write(exportHeader(options.format));
        for await (const clients of batches) {
          await write(exportLines(options.format, clients));
          rows += clients.length;
        }
        printMessage(`${plural(rows, 'row')}, sha256 ${digest.digest('hex')}`);
      }),
    );
}
