import { Argument, Command, Option } from 'commander';
import { type ChangeBy, OPERATOR } from '../../domain/change.ts';
import {
  CLIENT_STATUSES,
  CLIENT_TYPES,
  type Client,
  type ClientStatus,
  type ClientType,
} from '../../domain/clients/client.ts';
import type { ClientEvent } from '../../domain/clients/client-event.ts';
import { toEventRecord, toRecord } from '../../domain/clients/client-record.ts';
import {
  addClient,
  correctClient,
  eraseClient,
  findClient,
  type ManageClientsDeps,
  moveClient,
  setClientStatus,
  setRequestStatus,
} from '../../domain/clients/manage-clients.ts';
import { REASON_MAX_LENGTH } from '../../domain/clients/reason.ts';
import { REQUEST_STATUSES, type RequestStatus, TRANSITIONS } from '../../domain/clients/request-status.ts';
import type { Environment } from '../../domain/environment.ts';
import { findWorkspace } from '../../domain/members/index.ts';
import { withStore } from '../context.ts';
import { accountOption, environmentOption, examples, jsonOption } from '../options.ts';
import { formatTable, print } from '../output.ts';
import { printable } from '../printable.ts';
import { listCommand } from './list-clients.ts';

const WORKSPACE = '--account owner@keller.example --environment sandbox';

interface ClientOptions {
  account: string;
  environment: Environment;
  json?: true;
}

export function clientCommand(): Command {
  return new Command('client')
    .description('Manage clients: the people and companies that are being onboarded')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(correctCommand())
    .addCommand(setStatusCommand())
    .addCommand(setActiveCommand())
    .addCommand(moveCommand())
    .addCommand(eraseCommand())
    .addHelpText('after', examples(`rollcall client show 1729142752266-1557 ${WORKSPACE}`));
}

function addCommand(): Command {
  type Options = ClientOptions & {
    email: string;
    name: string;
    type: ClientType;
    group: string;
    status?: RequestStatus;
    externalId?: string;
  };
  return command('add')
    .description('Add a client, or show the existing one if its group already has a client with this email')
    .requiredOption('--email <email>', 'the email of the client')
    .requiredOption('--name <name>', 'the name of the client')
    .addOption(new Option('--type <type>', 'the type of the client').choices(CLIENT_TYPES).default('individual'))
    .requiredOption('--group <name>', 'the group of the client, which is created if it does not exist')
    .addOption(
      new Option('--status <status>', 'the first request status; "requested" if it is not given').choices(
        REQUEST_STATUSES,
      ),
    )
    .option('--external-id <id>', 'the id of the client in your own system')
    .addHelpText(
      'after',
      examples(`rollcall client add --email ada@mail.example --name "Ada" --group Partners ${WORKSPACE}`),
    )
    .action((options: Options) =>
      inWorkspace(options, async (deps, by) => {
        const request = { ...options, groupName: options.group, requestStatus: options.status };
        const { client, added } = await addClient(deps, by, request);
        const text = added
          ? `Added client ${client.referenceId}.`
          : `Client ${client.referenceId} already exists. Nothing was changed.`;
        print(options.json, { ...toRecord(client), added }, text);
      }),
    );
}

function showCommand(): Command {
  return referenceCommand('show')
    .description('Show a client and its history')
    .addHelpText('after', examples(`rollcall client show 1729142752266-1557 ${WORKSPACE}`))
    .action((reference: string, options: ClientOptions) =>
      inWorkspace(options, async (deps, { workspaceId }) => {
        const history = await deps.clients.history(workspaceId, reference);
        if (history.at(-1)?.kind === 'erased') {
          const lines = [`Client ${reference} was erased.`, ...history.map(eventText)];
          print(
            options.json,
            { reference_id: reference, erased: true, history: history.map(toEventRecord) },
            lines.join('\n'),
          );
          return;
        }
        const client = await findClient(deps, workspaceId, reference);
        const fields = Object.entries(toRecord(client)).map(([name, value]) => [name, value]);
        const next = `request_status may change to: ${TRANSITIONS[client.requestStatus].join(', ')}`;
        const text = [formatTable(['FIELD', 'VALUE'], fields), next, ...history.map(eventText)].join('\n');
        print(options.json, { ...toRecord(client), history: history.map(toEventRecord) }, text);
      }),
    );
}

function correctCommand(): Command {
  type Options = ClientOptions & { email?: string; name?: string; type?: ClientType; externalId?: string };
  return referenceCommand('correct')
    .description('Correct the name, email, type or external id of a client')
    .option('--email <email>', 'the new email')
    .option('--name <name>', 'the new name')
    .addOption(new Option('--type <type>', 'the new type').choices(CLIENT_TYPES))
    .option('--external-id <id>', 'the new id in your own system; empty to remove it')
    .addHelpText('after', examples(`rollcall client correct 1729142752266-1557 --name "Ada Byron" ${WORKSPACE}`))
    .action((reference: string, options: Options) =>
      inWorkspace(options, async (deps, by) => report(options, await correctClient(deps, by, reference, options))),
    );
}

function setStatusCommand(): Command {
  return referenceCommand('set-status')
    .description('Change the request status of a client, if the change is allowed')
    .addArgument(new Argument('<status>', 'the new request status').choices(REQUEST_STATUSES))
    .option('--reason <text>', `why, for the history of the client; up to ${REASON_MAX_LENGTH} characters`)
    .addHelpText(
      'after',
      examples(
        `rollcall client set-status 1729142752266-1557 accepted ${WORKSPACE}`,
        `rollcall client set-status 1729142752266-1557 declined --reason "No documents" ${WORKSPACE}`,
      ),
    )
    .action((reference: string, status: RequestStatus, options: ClientOptions & { reason?: string }) =>
      inWorkspace(options, async (deps, by) =>
        report(options, await setRequestStatus(deps, by, reference, status, options.reason)),
      ),
    );
}

function setActiveCommand(): Command {
  return referenceCommand('set-active')
    .description('Activate or deactivate a client')
    .addArgument(new Argument('<status>', 'the new client status').choices(CLIENT_STATUSES))
    .addHelpText('after', examples(`rollcall client set-active 1729142752266-1557 inactive ${WORKSPACE}`))
    .action((reference: string, status: ClientStatus, options: ClientOptions) =>
      inWorkspace(options, async (deps, by) => report(options, await setClientStatus(deps, by, reference, status))),
    );
}

function moveCommand(): Command {
  return referenceCommand('move')
    .description('Move a client to another group')
    .argument('<group>', 'the name of the new group')
    .addHelpText('after', examples(`rollcall client move 1729142752266-1557 "Private banking" ${WORKSPACE}`))
    .action((reference: string, group: string, options: ClientOptions) =>
      inWorkspace(options, async (deps, by) => report(options, await moveClient(deps, by, reference, group))),
    );
}

function eraseCommand(): Command {
  return referenceCommand('erase')
    .description('Erase the personal data of a client for good; the record that it was erased stays')
    .addHelpText('after', examples(`rollcall client erase 1729142752266-1557 ${WORKSPACE}`))
    .action((reference: string, options: ClientOptions) =>
      inWorkspace(options, async (deps, by) => {
        await eraseClient(deps, by, reference);
        print(options.json, { reference_id: reference, erased: true }, `Erased client ${reference}.`);
      }),
    );
}

function command(name: string): Command {
  return new Command(name)
    .addOption(accountOption())
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(jsonOption());
}

function referenceCommand(name: string): Command {
  return command(name).argument('<reference>', 'the reference_id of the client');
}

function inWorkspace(
  options: ClientOptions,
  work: (deps: ManageClientsDeps, by: ChangeBy) => Promise<void>,
): Promise<void> {
  return withStore(async ({ store, clock }) => {
    const workspaceId = await findWorkspace(store, options.account, options.environment);
    await work({ ...store, clock }, { workspaceId, actor: OPERATOR });
  });
}

function report(options: ClientOptions, client: Client): void {
  const { referenceId, requestStatus, status, groupName } = client;
  print(
    options.json,
    toRecord(client),
    `Client ${referenceId} is ${requestStatus} and ${status}, in the group ${printable(groupName)}.`,
  );
}

function eventText(event: ClientEvent): string {
  const { at, actor, kind, from, to, reason } = toEventRecord(event);
  const changes = Object.entries(to ?? {}).map(([field, value]) => {
    const before = from?.[field as keyof typeof from];
    return before ? `${field} ${before} → ${value || '(none)'}` : `${field} ${value}`;
  });
  const details = [changes.join(', '), ...(reason === null ? [] : [`reason: ${reason}`])].filter(Boolean).join('; ');
  return printable(`${at}  ${kind} by ${actor}${details && `: ${details}`}`);
}
