import { fold } from '../../../domain/text.ts';
import type { RequestTo } from '../requests.ts';
import { recordChange } from './record.ts';
import { refuse, refuseIf } from './refusal.ts';
import { type ModelGroup, type ModelWorkspace, type State, workspaceToChange } from './state.ts';
import { GROUP_NAME_MAX, isName } from './text-rules.ts';

export function groupNamed(workspace: ModelWorkspace, name: string): ModelGroup | undefined {
  return workspace.groups.find((group) => fold(group.name) === fold(name));
}

export function createGroup(state: State, request: RequestTo<'create group'>) {
  refuseIf(!isName(request.name, GROUP_NAME_MAX), 'bad_parameter');
  const target = workspaceToChange(state, request);
  const name = request.name.trim();
  refuseIf(groupNamed(target.workspace, name) !== undefined, 'conflict');
  target.workspace.groups.push({ token: '', name, createdAt: request.at });
  recordChange(target, request, 'group.created', name);
  return { name, createdAt: request.at };
}

/** The group keeps its token, which the next view shows, and its clients. */
export function renameGroup(state: State, request: RequestTo<'rename group'>) {
  refuseIf(!isName(request.name, GROUP_NAME_MAX), 'bad_parameter');
  const target = workspaceToChange(state, request);
  const name = request.name.trim();
  const group = existingGroup(target.workspace, request.tokenOrName);
  const namesake = groupNamed(target.workspace, name);
  refuseIf(namesake !== undefined && namesake !== group, 'conflict');
  if (group.name !== name) {
    recordChange(target, request, 'group.renamed', `${group.name} to ${name}`);
    group.name = name;
  }
  return { name, createdAt: group.createdAt };
}

/** Removes a group without clients. */
export function deleteGroup(state: State, request: RequestTo<'delete group'>) {
  const target = workspaceToChange(state, request);
  const { workspace } = target;
  const group = existingGroup(workspace, request.tokenOrName);
  refuseIf(
    workspace.clients.some((client) => client.group === group),
    'conflict',
  );
  workspace.groups = workspace.groups.filter((each) => each !== group);
  recordChange(target, request, 'group.deleted', group.name);
  return { name: group.name };
}

export function existingGroup(workspace: ModelWorkspace, tokenOrName: string): ModelGroup {
  return (
    workspace.groups.find((each) => each.token === tokenOrName) ??
    groupNamed(workspace, tokenOrName) ??
    refuse('not_found')
  );
}
