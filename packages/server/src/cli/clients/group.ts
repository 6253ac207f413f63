import { Command } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import type { Group } from '../../domain/clients/group.ts';
import { createGroup, renameGroup } from '../../domain/clients/manage-groups.ts';
import type { Environment } from '../../domain/environment.ts';
import { findWorkspace } from '../../domain/members/index.ts';
import { formatTime } from '../../domain/time.ts';
import { withStore } from '../context.ts';
import { accountOption, environmentOption, examples, jsonOption } from '../options.ts';
import { formatTable, print } from '../output.ts';

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
