import fc from 'fast-check';
import { groupNamed } from '../model/groups.ts';
import { type ModelAccount, type ModelClient, type ModelWorkspace, type State, workspacesOf } from '../model/state.ts';
import type { Cells } from '../requests.ts';
import {
  clientStatus,
  email,
  externalId,
  groupName,
  name,
  requestStatus,
  TEMPORARY_EMAIL,
  type,
} from './client-choices.ts';
import { actorOf, inWorkspace, mostly, operation, pick, which, workspaceAt } from './operation.ts';

const FILE_NAME = 'clients.csv';
const TIMES = ['2025-02-01T00:00:00.000Z', '2025-03-01T00:00:00.000Z', '2025-07-01T12:30:00.500Z'];
/** The same references in every workspace. */
const REFERENCES = [1, 2, 3, 4, 5].map((number) => `170000000000${number}-0000`);
const TOKENS = ['0b7c1d8e-5f5b-4c0a-9a51-000000000001', '0b7c1d8e-5f5b-4c0a-9a51-000000000002'];

const row = fc.record(
  {
    email,
    client_name: name,
    client_type: mostly<string>(type, fc.constantFrom('Company', 'robot')),
    group_name: groupName,
    request_status: mostly<string>(requestStatus, fc.constantFrom('Completed', 'done')),
    client_status: mostly<string>(clientStatus, fc.constantFrom('Inactive', 'gone')),
    created_at: mostly(fc.constantFrom(...TIMES), fc.constantFrom('yesterday', '2025-02-30T00:00:00.000Z')),
    reference: fc.constantFrom(
      'of a client',
      'of a client',
      'in use here',
      'in use here',
      'erased',
      "others'",
      'wrong',
    ),
    token: fc.constantFrom('of the group', 'of another group', 'new', 'wrong'),
    external_id: externalId,
    which,
  },
  { requiredKeys: ['email', 'client_name', 'client_type', 'group_name', 'which'] },
);
type RowChoice = typeof row extends fc.Arbitrary<infer T> ? T : never;

const rowsAtOnce = fc.constantFrom(1, 2, 3, 100, 100);
const dryRun = fc.constantFrom(false, false, true);

export const IMPORT_OPERATIONS = [
  operation(
    10,
    'import clients',
    fc.record({
      inWorkspace,
      by: which,
      rows: fc.array(row, { minLength: 1, maxLength: 6 }),
      rowsAtOnce,
      dryRun,
      goesOn: fc.constantFrom(false, false, true),
    }),
    (choice, { state, at }) => {
      const { account, workspace } = workspaceAt(state, choice.inWorkspace);
      const actor = actorOf(account, choice.by);
      const origin = (choice.goesOn && lastImport(account, actor.name)) || { id: `import ${at}`, name: FILE_NAME };
      const rows = choice.rows.map((each) => cellsOf(state, workspace, each));
      const { rowsAtOnce, dryRun } = choice;
      return { kind: 'import clients', workspaceId: workspace.id, actor, rows, rowsAtOnce, origin, dryRun };
    },
  ),

  operation(
    3,
    'hand emails around',
    fc.record({ inWorkspace, by: which, client: which, rowsAtOnce, dryRun }),
    (choice, { state, at }) => {
      const { account, workspace } = workspaceAt(state, choice.inWorkspace);
      const one = pick(workspace.clients, choice.client);
      const other = workspace.clients.find((each) => each !== one && each.group === one?.group);
      if (!one || !other) return undefined;
      const rows = [
        { ...asItIs(one), email: TEMPORARY_EMAIL },
        { ...asItIs(other), email: one.email },
        { ...asItIs(one), email: other.email },
      ];
      const { rowsAtOnce, dryRun } = choice;
      const origin = { id: `import ${at}`, name: 'emails.csv' };
      const actor = actorOf(account, choice.by);
      return { kind: 'import clients', workspaceId: workspace.id, actor, rows, rowsAtOnce, origin, dryRun };
    },
  ),

  operation(
    2,
    'hand external ids around',
    fc.record({ inWorkspace, by: which, client: which, rowsAtOnce, dryRun }),
    (choice, { state, at }) => {
      const { account, workspace } = workspaceAt(state, choice.inWorkspace);
      const named = workspace.clients.filter((each) => each.externalId !== null);
      const one = pick(named, choice.client);
      const other = named.find((each) => each !== one);
      if (!one || !other) return undefined;
      const rows = [
        { ...asItIs(one), external_id: 'on its way' },
        { ...asItIs(other), external_id: one.externalId ?? '' },
        { ...asItIs(one), external_id: other.externalId ?? '' },
      ];
      const { rowsAtOnce, dryRun } = choice;
      const origin = { id: `import ${at}`, name: 'external-ids.csv' };
      const actor = actorOf(account, choice.by);
      return { kind: 'import clients', workspaceId: workspace.id, actor, rows, rowsAtOnce, origin, dryRun };
    },
  ),

  operation(
    2,
    'there and back in one file',
    fc.record({ inWorkspace, by: which, client: which, otherwise: fc.record({ groupName, name }), rowsAtOnce, dryRun }),
    (choice, { state, at }) => {
      const { account, workspace } = workspaceAt(state, choice.inWorkspace);
      const client = pick(workspace.clients, choice.client);
      if (!client) return undefined;
      const { groupName, name } = choice.otherwise;
      const rows = [{ ...asItIs(client), group_name: groupName, client_name: name }, asItIs(client)];
      const { rowsAtOnce, dryRun } = choice;
      const origin = { id: `import ${at}`, name: 'there-and-back.csv' };
      const actor = actorOf(account, choice.by);
      return { kind: 'import clients', workspaceId: workspace.id, actor, rows, rowsAtOnce, origin, dryRun };
    },
  ),

  operation(
    1,
    'add sample',
    fc.record({
      inWorkspace,
      by: which,
      clients: fc.integer({ min: 1, max: 5 }),
      seed: fc.constantFrom(1, 2),
      rowsAtOnce,
    }),
    (choice, { state }) => {
      const { account, workspace } = workspaceAt(state, choice.inWorkspace);
      const { clients, seed, rowsAtOnce } = choice;
      const actor = actorOf(account, choice.by);
      return { kind: 'add sample', workspaceId: workspace.id, actor, clients, groups: 1, seed, rowsAtOnce };
    },
  ),
];

/** A file is sent in several requests, which together are one import. */
function lastImport(account: ModelAccount, actor: string): { id: string; name: string } | undefined {
  const entry = account.activity.findLast((each) => each.subject === FILE_NAME && each.member === actor);
  return typeof entry?.partOf === 'string' ? { id: entry.partOf, name: FILE_NAME } : undefined;
}

function cellsOf(state: State, workspace: ModelWorkspace, { reference, token, which, ...cells }: RowChoice): Cells {
  const referenceId = reference && referenceIn(state, workspace, reference, which);
  const groupToken = token && tokenIn(workspace, token, cells.group_name, which);
  return {
    ...cells,
    ...(referenceId !== undefined && { reference_id: referenceId }),
    ...(groupToken !== undefined && { group_token: groupToken }),
  };
}

function referenceIn(
  state: State,
  workspace: ModelWorkspace,
  kind: NonNullable<RowChoice['reference']>,
  which: number,
): string | undefined {
  const others = workspacesOf(state).filter((each) => each !== workspace);
  switch (kind) {
    case 'of a client':
      return pick(workspace.clients, which)?.referenceId;
    case 'in use here':
      return pick(REFERENCES, which);
    case 'erased':
      return pick(workspace.erased, which)?.referenceId;
    case "others'":
      return pick(
        others.flatMap((each) => each.clients),
        which,
      )?.referenceId;
    case 'wrong':
      return which % 5 === 0 ? 'x' : undefined;
  }
}

function tokenIn(
  workspace: ModelWorkspace,
  kind: NonNullable<RowChoice['token']>,
  groupName: string,
  which: number,
): string | undefined {
  switch (kind) {
    case 'of the group':
      return groupNamed(workspace, groupName)?.token;
    case 'of another group':
      return which % 3 === 0 ? pick(workspace.groups, which)?.token : undefined;
    case 'new':
      return which % 3 === 0 ? pick(TOKENS, which) : undefined;
    case 'wrong':
      return which % 5 === 0 ? 'x' : undefined;
  }
}

function asItIs({ referenceId, email, name, type, group }: ModelClient): Cells {
  return { reference_id: referenceId, email, client_name: name, client_type: type, group_name: group.name };
}
