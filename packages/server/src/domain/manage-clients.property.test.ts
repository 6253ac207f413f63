import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aWorkspace, TESTER, TestClock } from '../testing/builders.ts';
import { openTestStore } from '../testing/test-store.ts';
import { CLIENT_STATUSES, CLIENT_TYPES, type Client } from './client.ts';
import { isFailure } from './failure.ts';
import { importClients, makeImportId } from './import-clients.ts';
import { listClients } from './list-clients.ts';
import {
  addClient,
  type ChangeBy,
  correctClient,
  eraseClient,
  moveClient,
  setClientStatus,
  setRequestStatus,
} from './manage-clients.ts';
import { createGroup, renameGroup } from './manage-groups.ts';
import { REQUEST_STATUSES, TRANSITIONS } from './request-status.ts';
import { fold } from './text.ts';

const email = fc.constantFrom('a@x.example', 'A@x.example', 'b@x.example', 'c@x.example', 'd@x.example');
const group = fc.constantFrom('North', 'NORTH', 'South', 'East');
const name = fc.constantFrom('Ada', 'Bob', 'Cat');
const type = fc.constantFrom(...CLIENT_TYPES);
const status = fc.constantFrom(...CLIENT_STATUSES);
const requestStatus = fc.constantFrom(...REQUEST_STATUSES);
const which = fc.nat(20);

const operation = fc.oneof(
  fc.record({ do: fc.constant('add' as const), email, name, type, group, requestStatus }),
  fc.record({ do: fc.constant('import' as const), email, name, type, group, requestStatus, status }),
  fc.record({ do: fc.constant('correct' as const), which, email, name, type }),
  fc.record({ do: fc.constant('move' as const), which, group }),
  fc.record({ do: fc.constant('request status' as const), which, requestStatus }),
  fc.record({ do: fc.constant('status' as const), which, status }),
  fc.record({ do: fc.constant('erase' as const), which }),
  fc.record({ do: fc.constant('create group' as const), group }),
  fc.record({ do: fc.constant('rename group' as const), group, to: group }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

type ModelClient = Omit<Client, 'groupName' | 'groupToken' | 'createdAt'> & { group: ModelGroup; events: string[] };
interface ModelGroup {
  name: string;
}

/** What the store should do, in the plainest way: an array of clients and an array of groups. */
class Model {
  clients: ModelClient[] = [];
  groups: ModelGroup[] = [];
  erased = new Map<string, string[]>();

  group(named: string): ModelGroup | undefined {
    return this.groups.find((each) => fold(each.name) === fold(named));
  }

  withEmail(email: string, group: ModelGroup): ModelClient | undefined {
    return this.clients.find((each) => each.group === group && fold(each.email) === fold(email));
  }

  change(client: ModelClient, patch: Partial<ModelClient>): void {
    const changed = Object.entries(patch).some(([field, value]) => client[field as keyof ModelClient] !== value);
    Object.assign(client, patch);
    if (changed) client.events.push('changed');
  }
}

test('a random history leaves the list, the counts and every history as in a plain array', async () => {
  const store = await openTestStore();
  const clock = new TestClock();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
      const { workspaceId } = await aWorkspace(store, clock, `owner${++run}@firm.example`);
      const model = new Model();
      for (const each of operations) {
        clock.advance(1);
        await applyToBoth(each, model, { ...store, clock }, { workspaceId, actor: TESTER });
      }
      await compare(model, store, workspaceId);
    }),
    { numRuns: 50 },
  );
});

type Deps = Awaited<ReturnType<typeof openTestStore>> & { clock: TestClock };

async function applyToBoth(operation: Operation, model: Model, deps: Deps, change: ChangeBy): Promise<void> {
  const { workspaceId } = change;
  const client = 'which' in operation ? model.clients[operation.which % Math.max(1, model.clients.length)] : undefined;
  if ('which' in operation && !client) return;
  switch (operation.do) {
    case 'add': {
      const group = model.group(operation.group) ?? { name: operation.group };
      const { client: stored, added } = await addClient(deps, change, { ...operation, groupName: operation.group });
      const existing = model.withEmail(operation.email, group);
      expect(added).toBe(existing === undefined);
      if (existing) return;
      if (!model.groups.includes(group)) model.groups.push(group);
      model.clients.push({ ...operation, group, status: 'active', referenceId: stored.referenceId, events: ['added'] });
      return;
    }
    case 'import': {
      const cells = {
        email: operation.email,
        client_name: operation.name,
        client_type: operation.type,
        group_name: operation.group,
        request_status: operation.requestStatus,
        client_status: operation.status,
      };
      const summary = await importClients(deps, change, [{ line: 2, cells }], {
        origin: { id: makeImportId(), name: 'test' },
        onReject: () => {},
      });
      const group = model.group(operation.group) ?? { name: operation.group };
      const existing = model.withEmail(operation.email, group);
      const { email, name, type, requestStatus, status } = operation;
      if (existing) {
        const before = existing.events.length;
        model.change(existing, { email, name, type, requestStatus, status });
        expect(summary).toMatchObject(existing.events.length > before ? { updated: 1 } : { unchanged: 1 });
        return;
      }
      expect(summary).toMatchObject({ inserted: 1 });
      if (!model.groups.includes(group)) model.groups.push(group);
      const { clients } = await listClients(deps, workspaceId, {
        email,
        groupName: group.name,
        pageNumber: 1,
        pageLimit: 1,
      });
      model.clients.push({
        email,
        name,
        type,
        requestStatus,
        status,
        group,
        referenceId: clients[0]?.referenceId ?? '',
        events: ['added'],
      });
      return;
    }
    case 'create group': {
      const taken = model.group(operation.group);
      const made = await attempt(createGroup(deps, change, operation.group));
      expect(made).toBe(!taken);
      if (!taken) model.groups.push({ name: operation.group });
      return;
    }
    case 'rename group': {
      const [group, taken] = [model.group(operation.group), model.group(operation.to)];
      const allowed = group !== undefined && (taken === undefined || taken === group);
      expect(await attempt(renameGroup(deps, change, operation.group, operation.to))).toBe(allowed);
      if (allowed) group.name = operation.to;
      return;
    }
  }
  if (client) await changeBoth(operation, client, model, deps, change);
}

async function changeBoth(
  operation: Extract<Operation, { which: number }>,
  client: ModelClient,
  model: Model,
  deps: Deps,
  change: ChangeBy,
): Promise<void> {
  const { referenceId } = client;
  switch (operation.do) {
    case 'correct': {
      const { email, name, type } = operation;
      const other = model.withEmail(email, client.group);
      const allowed = other === undefined || other === client;
      expect(await attempt(correctClient(deps, change, referenceId, { email, name, type }))).toBe(allowed);
      if (allowed) model.change(client, { email, name, type });
      return;
    }
    case 'move': {
      const group = model.group(operation.group);
      const other = group && model.withEmail(client.email, group);
      const allowed = group !== undefined && (other === undefined || other === client);
      expect(await attempt(moveClient(deps, change, referenceId, operation.group))).toBe(allowed);
      if (allowed) model.change(client, { group });
      return;
    }
    case 'request status': {
      const allowed = TRANSITIONS[client.requestStatus].includes(operation.requestStatus);
      expect(await attempt(setRequestStatus(deps, change, referenceId, operation.requestStatus))).toBe(allowed);
      if (allowed) model.change(client, { requestStatus: operation.requestStatus });
      return;
    }
    case 'status':
      await setClientStatus(deps, change, referenceId, operation.status);
      model.change(client, { status: operation.status });
      return;
    case 'erase':
      await eraseClient(deps, change, referenceId);
      model.clients = model.clients.filter((each) => each !== client);
      model.erased.set(referenceId, [...client.events, 'erased']);
  }
}

async function compare(model: Model, store: Deps | Awaited<ReturnType<typeof openTestStore>>, workspaceId: number) {
  const page = await listClients(store, workspaceId, { pageNumber: 1, pageLimit: 1000 });
  expect(page.clients.map(({ groupToken, createdAt, ...rest }) => rest)).toEqual(
    model.clients
      .toReversed()
      .map(({ group, events, ...rest }) => expect.objectContaining({ ...pickClient(rest), groupName: group.name })),
  );
  for (const requestStatus of REQUEST_STATUSES) {
    const { totalCount } = await listClients(store, workspaceId, { requestStatus, pageNumber: 1, pageLimit: 1 });
    expect(totalCount).toBe(model.clients.filter((client) => client.requestStatus === requestStatus).length);
  }
  const groups = await store.groups.list(workspaceId);
  expect(Object.fromEntries(groups.map((group) => [group.name, group.clients]))).toEqual(
    Object.fromEntries(
      model.groups.map((group) => [group.name, model.clients.filter((each) => each.group === group).length]),
    ),
  );
  const histories = new Map([
    ...model.clients.map((each): [string, string[]] => [each.referenceId, each.events]),
    ...model.erased,
  ]);
  for (const [referenceId, kinds] of histories) {
    const events = await store.clients.history(workspaceId, referenceId);
    expect(events.map((event) => event.kind)).toEqual(kinds);
    expect(events.map((event) => event.at)).toEqual(events.map((event) => event.at).toSorted((a, b) => a - b));
  }
  expect((await store.examine()).problems).toEqual([]);
}

function pickClient({ referenceId, email, name, type, requestStatus, status }: Omit<ModelClient, 'group' | 'events'>) {
  return { referenceId, email, name, type, requestStatus, status };
}

/** True when it was done; false when it was refused for a reason. */
async function attempt(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isFailure(error, 'conflict') || isFailure(error, 'not_found')) return false;
    throw error;
  }
}
