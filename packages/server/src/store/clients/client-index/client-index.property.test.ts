import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import type { ChangeBy } from '../../../domain/change.ts';
import { CLIENT_STATUSES, CLIENT_TYPES, type ClientStatus, type ClientType } from '../../../domain/clients/client.ts';
import { importRows, makeImportId } from '../../../domain/clients/import-clients.ts';
import { type ClientsPage, type ListClientsRequest, listClients } from '../../../domain/clients/list-clients.ts';
import { LIST_ORDERS } from '../../../domain/clients/list-orders.ts';
import { eraseClient } from '../../../domain/clients/manage-clients.ts';
import { renameGroup } from '../../../domain/clients/manage-groups.ts';
import { mergePart } from '../../../domain/clients/merge-groups.ts';
import { REQUEST_STATUSES, type RequestStatus } from '../../../domain/clients/request-status.ts';
import { type ClientSummary, summariseClients } from '../../../domain/clients/summarise-clients.ts';
import { aWorkspace, TESTER, TestClock } from '../../../testing/builders.ts';
import { withTestStore } from '../../../testing/test-store.ts';
import type { Store } from '../../open-store.ts';
import type { IndexLevels } from './levels.ts';

/** So small that every few changes split a run, and every dozen a section. */
const TINY: IndexLevels = { runs: { number: 0, maxSize: 3 }, sections: { number: 1, maxSize: 12 } };

const NEVER = { now: () => 1 };

/** For a long run once in a while. Otherwise there are few, and on PostgreSQL, where each takes ten times as long, very few. */
const MANY_RUNS = process.env.ROLLCALL_TEST_RUNS;

const GROUPS = ['North', 'South'];
/** The names that groups may get. */
const NAMES = [...GROUPS, 'East', 'On the way'];
const name = fc.constantFrom(...NAMES);
const email = fc.integer({ min: 0, max: 60 }).map((number) => `c${number}@x.example`);
const row = fc.record({
  email,
  groupName: fc.constantFrom(...GROUPS),
  requestStatus: fc.constantFrom(...REQUEST_STATUSES.slice(0, 3)),
  type: fc.constantFrom(...CLIENT_TYPES),
  status: fc.constantFrom(...CLIENT_STATUSES),
  createdAt: fc.integer({ min: 1, max: 9 }),
});
/** Inactive clients at one time, so that pages of active ones have to pass over them. */
const inactiveRows = fc
  .record({ rows: fc.array(row, { minLength: 20, maxLength: 40 }), createdAt: fc.integer({ min: 1, max: 9 }) })
  .map(({ rows, createdAt }) => rows.map((each) => ({ ...each, createdAt, status: 'inactive' as const })));
const kind = fc.record({
  requestStatus: fc.constantFrom(...REQUEST_STATUSES.slice(0, 3)),
  type: fc.constantFrom(...CLIENT_TYPES),
  status: fc.constantFrom(...CLIENT_STATUSES),
});
const changesTo = (to: fc.Arbitrary<Partial<ModelClient>>) =>
  fc.array(fc.record({ which: fc.nat(), to }), { maxLength: 20 });
/** Clients that are newer than all others, in one transaction with changes of older ones that stay where they are in time. */
const newest = fc.record({
  do: fc.constant('add newest' as const),
  added: fc.array(fc.record({ kind, groupName: fc.constantFrom(...GROUPS), later: fc.nat(1) }), {
    minLength: 1,
    maxLength: 20,
  }),
  changed: fc.oneof(
    changesTo(kind),
    // Each is then added to lists, and removed from none.
    changesTo(fc.constant({ status: 'inactive' as const })),
  ),
});
const step = fc.oneof(
  { weight: 4, arbitrary: newest },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('import' as const), rows: fc.array(row, { minLength: 1, maxLength: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('import' as const), rows: inactiveRows }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), which: fc.nat(), to: row }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('erase' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const), from: name, to: name }) },
  // Part of a merge, because two groups rarely have no email in common.
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('merge' as const),
      from: name,
      into: name,
      atOnce: fc.constantFrom(1, 4, 9),
    }),
  },
  // Two groups that exchange their names: each list then contains what the other one contained.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('swap' as const) }) },
);

const instant = fc.integer({ min: 0, max: 11 });
/** A list with several values, a range or another order. Some values match nobody, and ranges begin and end at times of clients. */
const question = fc.record(
  {
    groupNames: fc.array(name, { minLength: 1, maxLength: 4 }),
    groupName: name,
    requestStatuses: fc.array(fc.constantFrom(...REQUEST_STATUSES), { minLength: 1, maxLength: 6 }),
    clientType: fc.constantFrom(...CLIENT_TYPES),
    clientStatus: fc.constantFrom(...CLIENT_STATUSES),
    emails: fc.array(email, { minLength: 1, maxLength: 5 }),
    email,
    createdFrom: instant,
    createdUntil: instant,
    order: fc.constantFrom(...LIST_ORDERS),
    pageLimit: fc.integer({ min: 1, max: 7 }),
  },
  { requiredKeys: ['pageLimit', 'order'] },
);
const questions = fc.array(question, { minLength: 4, maxLength: 8 });
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

interface ModelClient {
  referenceId: string;
  order: number;
  email: string;
  groupName: string;
  requestStatus: RequestStatus;
  type: ClientType;
  status: ClientStatus;
  createdAt: number;
}

/** The length of one step of time. With the longer one, runs of neighbours in time are looked up on their own. */
const timeScale = fc.constantFrom(1, 61_000);

interface Model {
  timeScale: number;
  clients: Map<string, ModelClient>;
  /** The existing groups, with or without clients. */
  groups: Set<string>;
}

test('after every step, totals and pages of all lists are the same as counted ones', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      timeScale,
      fc.array(fc.tuple(step, questions), { minLength: 1, maxLength: 8 }),
      // In a database of its own, because the consistency of everything in it is checked at the end.
      (timeScale, steps) =>
        withTestStore({ indexLevels: TINY }, async (store) => {
          const { workspaceId } = await aWorkspace(store, new TestClock(), 'owner@firm.example');
          const change = { workspaceId, actor: TESTER };
          const model: Model = { timeScale, clients: new Map(), groups: new Set() };
          for (const [index, [each, asked]] of steps.entries()) {
            for (const part of each.do === 'swap' ? SWAP : [each]) {
              await applyStep(store, change, model, part);
              for (const one of asked) await compareQuestion(store, workspaceId, model, one);
              compared += asked.length;
              // Shorter than a run, and so read from its nearer end, or longer.
              await compareAll(store, workspaceId, model, index % 2 === 0 ? 2 : 4);
            }
          }
          expect((await store.checkConsistency()).problems).toEqual([]);
        }),
    ),
    { numRuns: Number(MANY_RUNS ?? (inject('engine') === 'sqlite' ? 60 : 10)) },
  );
  if (MANY_RUNS) process.stdout.write(`${compared} questions, each with all of its pages, cursors and its summary\n`);
});

type Step = Exclude<typeof step extends fc.Arbitrary<infer T> ? T : never, { do: 'swap' }>;

/** One rename at a time, so that every list is read in between. */
const SWAP: Step[] = [
  { do: 'rename', from: 'North', to: 'On the way' },
  { do: 'rename', from: 'South', to: 'North' },
  { do: 'rename', from: 'On the way', to: 'South' },
];

async function applyStep(store: Store, change: ChangeBy, whole: Model, step: Step): Promise<void> {
  const { timeScale, clients: model, groups } = whole;
  if (step.do === 'merge') return applyMerge(store, change, whole, step);
  if (step.do === 'rename') {
    if (!groups.has(step.from) || groups.has(step.to)) return;
    await renameGroup({ ...store, clock: NEVER }, change, step.from, step.to);
    groups.delete(step.from);
    groups.add(step.to);
    for (const client of model.values()) if (client.groupName === step.from) client.groupName = step.to;
    return;
  }
  const clients = [...model.values()];
  const chosen = 'which' in step ? clients[step.which % Math.max(1, clients.length)] : undefined;
  if (step.do === 'erase') {
    if (!chosen) return;
    await eraseClient({ ...store, clock: NEVER }, change, chosen.referenceId);
    model.delete(chosen.referenceId);
    return;
  }
  const rows = rowsOf(step, clients, chosen);
  const imported = rows.map((each) => ({ line: 0, name: 'X', ...each, createdAt: each.createdAt * timeScale }));
  await importRows({ ...store, clock: NEVER }, change, imported, { id: makeImportId(), name: 'test' });
  for (const each of rows) {
    groups.add(each.groupName);
    const same = [...model.values()].find(
      (client) => client.email === each.email && client.groupName === each.groupName,
    );
    if (same) Object.assign(same, each);
    else {
      const page = await listClients(store, change.workspaceId, {
        email: each.email,
        groupName: each.groupName,
        pageNumber: 1,
        pageLimit: 1,
      });
      const referenceId = page.clients[0]?.referenceId ?? '';
      model.set(referenceId, { ...each, referenceId, order: orders++ });
    }
  }
}

/** An import may change any field of a client, including its creation time. */
function rowsOf(
  step: Extract<Step, { do: 'import' | 'change' | 'add newest' }>,
  clients: ModelClient[],
  chosen?: ModelClient,
) {
  if (step.do === 'import') return step.rows;
  if (step.do === 'change') return chosen ? [{ ...step.to, email: chosen.email, groupName: chosen.groupName }] : [];
  const changed = step.changed.flatMap(({ which, to }) => {
    const client = clients[which % Math.max(1, clients.length)];
    return client ? [{ ...client, ...to }] : [];
  });
  let createdAt = Math.max(1, ...clients.map((client) => client.createdAt));
  const added = step.added.map(({ kind, groupName, later }) => {
    createdAt += later;
    return { email: `new${orders++}@x.example`, groupName, createdAt, ...kind };
  });
  return [...changed, ...added];
}

/** The oldest clients move, unless one has the email of a client of the other group, and the group is removed with the last. */
async function applyMerge(
  store: Store,
  change: ChangeBy,
  { clients, groups }: Model,
  { from, into, atOnce }: Extract<Step, { do: 'merge' }>,
): Promise<void> {
  if (from === into || !groups.has(from) || !groups.has(into)) return;
  const inGroup = (groupName: string) => [...clients.values()].filter((client) => client.groupName === groupName);
  const oldest = inGroup(from).sort((a, b) => a.createdAt - b.createdAt || a.order - b.order);
  const moved = oldest.slice(0, atOnce);
  const taken = new Set(inGroup(into).map((client) => client.email));
  const request = { from, into, continues: true, clientsAtOnce: atOnce };
  const part = mergePart({ ...store, clock: NEVER }, change, request);
  if (moved.some((client) => taken.has(client.email))) {
    await expect(part).rejects.toMatchObject({ code: 'conflict' });
    return;
  }
  expect(await part).toMatchObject({ moved: moved.length, left: oldest.length - moved.length });
  for (const client of moved) client.groupName = into;
  if (moved.length === oldest.length) groups.delete(from);
}

let orders = 0;

async function compareAll(
  store: Store,
  workspaceId: number,
  { clients, groups }: Model,
  pageLimit: number,
): Promise<void> {
  const newestFirst = [...clients.values()].sort((a, b) => b.createdAt - a.createdAt || b.order - a.order);
  for (const groupName of NAMES.filter((each) => !groups.has(each))) {
    await compareList(store, workspaceId, { groupName }, pageLimit, []);
  }
  for (const groupName of [undefined, ...groups]) {
    for (const requestStatus of [undefined, ...REQUEST_STATUSES]) {
      for (const clientType of [undefined, ...CLIENT_TYPES]) {
        const expected = newestFirst
          .filter((client) => groupName === undefined || client.groupName === groupName)
          .filter((client) => requestStatus === undefined || client.requestStatus === requestStatus)
          .filter((client) => clientType === undefined || client.type === clientType)
          .map((client) => client.referenceId);
        const requestStatuses = requestStatus && [requestStatus];
        await compareList(store, workspaceId, { groupName, requestStatuses, clientType }, pageLimit, expected);
      }
    }
  }
}

async function compareQuestion(
  store: Store,
  workspaceId: number,
  { timeScale, clients }: Model,
  { groupNames, emails, pageLimit, ...asked }: Question,
): Promise<void> {
  const tokens = new Map((await store.groups.list(workspaceId)).map((group) => [group.name, group.token]));
  const everybody = [...clients.values()].sort((a, b) => b.createdAt - a.createdAt || b.order - a.order);
  const {
    groupName,
    requestStatuses,
    clientType,
    clientStatus,
    email,
    createdFrom = 0,
    createdUntil = Infinity,
  } = asked;
  const expected = everybody
    .filter((client) => groupNames?.includes(client.groupName) ?? true)
    .filter((client) => groupName === undefined || client.groupName === groupName)
    .filter((client) => requestStatuses?.includes(client.requestStatus) ?? true)
    .filter((client) => clientType === undefined || client.type === clientType)
    .filter((client) => clientStatus === undefined || client.status === clientStatus)
    .filter((client) => emails?.includes(client.email) ?? true)
    .filter((client) => email === undefined || client.email === email)
    .filter(({ createdAt }) => createdAt >= createdFrom && createdAt < createdUntil);
  const range = {
    createdFrom: asked.createdFrom && asked.createdFrom * timeScale,
    createdUntil: asked.createdUntil && asked.createdUntil * timeScale,
  };
  const groupTokens = groupNames?.map((each) => tokens.get(each) ?? NOBODYS_TOKEN);
  const referenceIds = emails && [
    '1700000000000-9999',
    ...everybody.filter((client) => emails.includes(client.email)).map((client) => client.referenceId),
  ];
  const found = expected.map((client) => client.referenceId);
  const inOrder = asked.order === 'newest' ? found : found.reverse();
  const request = { ...asked, ...range, groupTokens, referenceIds };
  await compareList(store, workspaceId, request, pageLimit, inOrder);
  const { stamp, ...summary } = await summariseClients(store, workspaceId, request, { groupsMax: 2 });
  expect(summary).toEqual(summaryOf(expected, tokens));
}

/** Counted one by one, with two groups shown. */
function summaryOf(clients: readonly ModelClient[], tokens: ReadonlyMap<string, string>): Omit<ClientSummary, 'stamp'> {
  const count = <Field extends keyof ModelClient>(field: Field, value: ModelClient[Field]) =>
    clients.filter((client) => client[field] === value).length;
  const counts = <Value extends string>(field: keyof ModelClient, values: readonly Value[]) =>
    Object.fromEntries(values.map((value) => [value, count(field, value)])) as Record<Value, number>;
  const groups = [...tokens]
    .map(([name, token]) => ({ name, token, clients: count('groupName', name) }))
    .filter(({ clients }) => clients > 0)
    .sort((a, b) => b.clients - a.clients || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  return {
    totalCount: clients.length,
    byRequestStatus: counts('requestStatus', REQUEST_STATUSES),
    byClientType: counts('type', CLIENT_TYPES),
    byClientStatus: counts('status', CLIENT_STATUSES),
    largestGroups: groups.slice(0, 2),
    otherGroupsCount: Math.max(0, groups.length - 2),
  };
}

const NOBODYS_TOKEN = '00000000-0000-4000-8000-000000000000';

async function compareList(
  store: Store,
  workspaceId: number,
  filter: Partial<ListClientsRequest>,
  pageLimit: number,
  expected: string[],
): Promise<void> {
  const pages = Math.ceil(expected.length / pageLimit);
  let walked: ClientsPage | undefined;
  for (let pageNumber = 1; pageNumber <= pages + 1; pageNumber++) {
    const page = await listClients(store, workspaceId, { ...filter, pageNumber, pageLimit });
    expect(page.totalCount).toBe(expected.length);
    expect(references(page)).toEqual(expected.slice((pageNumber - 1) * pageLimit, pageNumber * pageLimit));
    if (walked && pageNumber <= pages) {
      const next = await listClients(store, workspaceId, {
        ...filter,
        pageNumber: 1,
        pageLimit,
        cursor: walked.nextCursor,
      });
      expect(references(next)).toEqual(references(page));
      expect(next.pageNumber).toBe(pageNumber);
      const back = await listClients(store, workspaceId, {
        ...filter,
        pageNumber: 1,
        pageLimit,
        cursor: next.prevCursor,
      });
      expect(references(back)).toEqual(references(walked));
    }
    walked = page;
  }
}

function references(page: ClientsPage): string[] {
  return page.clients.map((client) => client.referenceId);
}
