import { Command } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import type { Group } from '../../domain/clients/group.ts';
import { createGroup, deleteGroup, renameGroup } from '../../domain/clients/manage-groups.ts';
import { mergeGroups } from '../../domain/clients/merge-groups.ts';
import type { Environment } from '../../domain/environment.ts';
import { findWorkspace } from '../../domain/members/index.ts';
import { formatTime } from '../../domain/time.ts';
import { type CommandContext, withStore } from '../context.ts';
import { interruptible } from '../interruption.ts';
import { accountOption, environmentOption, examples, jsonOption } from '../options.ts';
import { formatTable, print, printMessage, progressLine } from '../output.ts';
import { plural } from '../plural.ts';

const WORKSPACE = '--account owner@keller.example --environment sandbox';

interface GroupOptions {
  account: string;
  environment: Environment;
  json?: true;
}

export function groupCommand(): Command {
  return new Command('group')
    .description('Manage groups: the named sets that clients belong to')
    .addCommand(createCommand())
    .addCommand(renameCommand())
    .addCommand(mergeCommand())
    .addCommand(deleteCommand())
    .addCommand(listCommand())
    .addHelpText('after', examples(`rollcall group list ${WORKSPACE}`));
}

function createCommand(): Command {
  return workspaceCommand('create')
    .description('Create a group')
    .argument('<name>', 'the name of the group, unique in its environment regardless of letter case')
    .addHelpText('after', examples(`rollcall group create "Private banking" ${WORKSPACE}`))
    .action((name: string, options: GroupOptions) =>
      withStore(async ({ store, clock }) => {
        const workspaceId = await findWorkspace(store, options.account, options.environment);
        const group = await createGroup({ ...store, clock }, { workspaceId, actor: OPERATOR }, name);
        print(options.json, toJson(group), `Created group "${group.name}" with the token ${group.token}.`);
      }),
    );
}

function renameCommand(): Command {
  return workspaceCommand('rename')
    .description('Rename a group; its token stays the same')
    .argument('<group>', 'the name or the token of the group')
    .argument('<name>', 'the new name')
    .addHelpText('after', examples(`rollcall group rename "Private banking" "Wealth" ${WORKSPACE}`))
    .action((tokenOrName: string, name: string, options: GroupOptions) =>
      withStore(async ({ store, clock }) => {
        const workspaceId = await findWorkspace(store, options.account, options.environment);
        const by = { workspaceId, actor: OPERATOR };
        const group = await renameGroup({ ...store, clock }, by, tokenOrName, name);
        print(options.json, toJson(group), `The group is now called "${group.name}".`);
      }),
    );
}

const MERGE_HELP = `
All clients of the group move to the other one, and the group is removed. If a client has the same email as a client of the
other group, nothing is changed, and some of these clients are named. A group with many clients is moved in parts. When the
command is interrupted (Ctrl-C, SIGTERM), the clients that it has moved stay in the other group, and the same command moves
the rest.
${examples(`rollcall group merge "Wealth" --into "Private banking" ${WORKSPACE}`)}`;

type MergeOptions = GroupOptions & { into: string };

function mergeCommand(): Command {
  return workspaceCommand('merge')
    .description('Move all clients of a group to another one, and remove the group')
    .argument('<group>', 'the name or the token of the group that is removed')
    .requiredOption('--into <group>', 'the name or the token of the group that stays')
    .addHelpText('after', MERGE_HELP)
    .action((tokenOrName: string, options: MergeOptions) =>
      interruptible((stop) => withStore((context) => runMerge(context, tokenOrName, options, stop))),
    );
}

async function runMerge(
  { store, clock }: CommandContext,
  tokenOrName: string,
  options: MergeOptions,
  stop: AbortSignal,
): Promise<void> {
  const workspaceId = await findWorkspace(store, options.account, options.environment);
  const line = progressLine();
  let movedSoFar = 0;
  const merge = mergeGroups({ ...store, clock }, { workspaceId, actor: OPERATOR }, tokenOrName, options.into, {
    stop,
    onProgress: ({ moved, left }) => {
      movedSoFar = moved;
      line.show(`${plural(moved, 'client')} moved, ${left} left`);
    },
  }).finally(line.end);
  const { from, into, clients } = await merge.catch((error) => {
    if (movedSoFar > 0) printMessage(`${plural(movedSoFar, 'client')} moved. Run the command again to move the rest.`);
    throw error;
  });
  const text = `Moved ${plural(clients, 'client')} from the group "${from.name}" to "${into.name}", and removed "${from.name}".`;
  print(options.json, { ...toJson(into), clients_moved: clients }, text);
}

function deleteCommand(): Command {
  return workspaceCommand('delete')
    .description('Delete a group that has no clients')
    .argument('<group>', 'the name or the token of the group')
    .addHelpText('after', examples(`rollcall group delete "Private banking" ${WORKSPACE}`))
    .action((tokenOrName: string, options: GroupOptions) =>
      withStore(async ({ store, clock }) => {
        const workspaceId = await findWorkspace(store, options.account, options.environment);
        const group = await deleteGroup({ ...store, clock }, { workspaceId, actor: OPERATOR }, tokenOrName);
        print(options.json, { ...toJson(group), deleted: true }, `Deleted group "${group.name}".`);
      }),
    );
}

function listCommand(): Command {
  return workspaceCommand('list')
    .description('List the groups and the number of clients in each')
    .addHelpText('after', examples(`rollcall group list ${WORKSPACE}`))
    .action((options: GroupOptions) =>
      withStore(async ({ store }) => {
        const workspaceId = await findWorkspace(store, options.account, options.environment);
        const groups = await store.groups.list(workspaceId);
        const rows = groups.map((group) => [group.name, String(group.clients), group.token]);
        const empty = 'There are no groups yet. Create one with `rollcall group create`, or import clients.';
        const json = groups.map((group) => ({ ...toJson(group), clients: group.clients }));
        print(options.json, json, rows.length ? formatTable(['NAME', 'CLIENTS', 'TOKEN'], rows) : empty);
      }),
    );
}

function workspaceCommand(name: string): Command {
  return new Command(name)
    .addOption(accountOption())
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(jsonOption());
}

function toJson(group: Group) {
  return { group_name: group.name, group_token: group.token, created_at: formatTime(group.createdAt) };
}
