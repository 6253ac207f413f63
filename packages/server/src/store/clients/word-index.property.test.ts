import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import type { ChangeBy } from '../../domain/change.ts';
import { changeManyClients } from '../../domain/clients/change-many-clients.ts';
import { CLIENT_TYPES, type Client } from '../../domain/clients/client.ts';
import { importRows, makeImportId } from '../../domain/clients/import-clients.ts';
import { addClient, correctClient, eraseClient } from '../../domain/clients/manage-clients.ts';
import { renameGroup } from '../../domain/clients/manage-groups.ts';
import { REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import { findClients } from '../../domain/clients/search-clients.ts';
import { searchedWords } from '../../domain/clients/words.ts';
import { isFailure } from '../../domain/failure.ts';
import { aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';
import type { Store } from '../open-store.ts';
import type { SearchBounds } from './search-bounds.ts';

/** So small that a few clients are enough to take every way of searching. */
const TINY: SearchBounds = {
  found: 6,
  candidates: 9,
  collected: 14,
  shortList: 2,
  commonFrom: 8,
  passedPerRead: 2,
  collectedPerRead: 1,
};

const GROUPS = ['North', 'South'];
const NAMES = ['Ada Okafor', 'ADA', 'Adam O’Neil', 'García López', 'Ana-Maria Garcia', 'Ægir Straße', '張偉', 'x'];
const EMAILS = ['ada', 'ana.maria', 'o.neil', 'garcia', 'x'].flatMap((local) => [
  `${local}@mail.example`,
  `${local.toUpperCase()}1@x.example`,
]);
const BEGINNINGS = [
  'a',
  'ADA',
  'ana',
  'gar',
  'garcía',
  'o',
  'neil',
  'ae',
  'strasse',
  '張',
  'x',
  'mail',
  'ex',
  '1',
  '-',
];

const row = fc.record({
  name: fc.constantFrom(...NAMES),
  email: fc.constantFrom(...EMAILS),
  groupName: fc.constantFrom(...GROUPS),
  type: fc.constantFrom(...CLIENT_TYPES),
  requestStatus: fc.constantFrom(...REQUEST_STATUSES.slice(0, 3)),
  createdAt: fc.integer({ min: 1, max: 9 }),
});
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('import' as const), rows: fc.array(row, { maxLength: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('add' as const), client: row }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('correct' as const), which: fc.nat(), to: row }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), to: fc.constantFrom(...GROUPS) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('erase' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const), to: fc.constantFrom('East', 'North') }) },
);
const question = fc.record(
  {
    text: fc.array(fc.constantFrom(...BEGINNINGS), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    groupName: fc.constantFrom(...GROUPS, 'East'),
    requestStatuses: fc.array(fc.constantFrom(...REQUEST_STATUSES), { minLength: 1, maxLength: 3 }),
    clientType: fc.constantFrom(...CLIENT_TYPES),
    createdFrom: fc.integer({ min: 0, max: 9 }),
    createdUntil: fc.integer({ min: 0, max: 11 }),
  },
  { requiredKeys: ['text'] },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

test('after any changes, every search finds what a comparison in memory finds', async () => {
  const store = await openTestStoreAt(await newDatabase(inject('engine')), { searchBounds: TINY });
  let accounts = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fc.array(question, { minLength: 1, maxLength: 4 })), { minLength: 2, maxLength: 8 }),
      async (steps) => {
        const { workspaceId } = await aWorkspace(store, new TestClock(), `${++accounts}@firm.example`);
        const by = { workspaceId, actor: TESTER };
        for (const [change, questions] of steps) {
          await perform(store, by, change);
          for (const each of questions) await compare(store, workspaceId, each);
        }
      },
    ),
    { numRuns: 25 },
  );
  expect((await store.checkConsistency()).problems).toEqual([]);
});

async function everybody(store: Store, workspaceId: number): Promise<Client[]> {
  return (await Array.fromAsync(store.clients.readAll(workspaceId, {}))).flat().reverse();
}

/** A change that is refused, for example because of an email that exists already, changes nothing. */
async function perform(store: Store, by: ChangeBy, change: Step): Promise<void> {
  const clock = new TestClock(5);
  const deps = { ...store, clock };
  const clients = await everybody(store, by.workspaceId);
  const chosen = 'which' in change ? clients[change.which % Math.max(1, clients.length)]?.referenceId : undefined;
  try {
    if (change.do === 'import') {
      const rows = change.rows.map((each) => ({ line: 0, ...each }));
      await importRows(deps, by, rows, { id: makeImportId(), name: 'test' });
    } else if (change.do === 'add') await addClient(deps, by, change.client);
    else if (change.do === 'rename') await renameGroup(deps, by, 'North', change.to);
    else if (change.do === 'move') {
      const referenceIds = clients.slice(0, 5).map(({ referenceId }) => referenceId);
      await changeManyClients(deps, by, { referenceIds, groupName: change.to });
    } else if (chosen === undefined) return;
    else if (change.do === 'erase') await eraseClient(deps, by, chosen);
    else await correctClient(deps, by, chosen, { name: change.to.name, email: change.to.email });
  } catch (error) {
    if (!isFailure(error, 'conflict') && !isFailure(error, 'not_found')) throw error;
  }
}

async function compare(store: Store, workspaceId: number, { text, ...filter }: Question): Promise<void> {
  const expected = (await everybody(store, workspaceId)).filter(
    (client) =>
      hasWords(client, text) &&
      (filter.groupName === undefined || client.groupName === filter.groupName) &&
      (filter.requestStatuses?.includes(client.requestStatus) ?? true) &&
      (filter.clientType === undefined || client.type === filter.clientType) &&
      client.createdAt >= (filter.createdFrom ?? 0) &&
      client.createdAt < (filter.createdUntil ?? Number.POSITIVE_INFINITY),
  );
  const words = searchedWords(text);
  const shown = expected.slice(0, TINY.found);
  for (let pageNumber = 1; pageNumber <= 3; pageNumber++) {
    const found = await findClients(store, workspaceId, { ...filter, words, pageNumber, pageLimit: 4 });
    expect(found.clients, text).toEqual(shown.slice((pageNumber - 1) * 4, pageNumber * 4));
    expect(found).toMatchObject({ totalCount: shown.length, isTotalExact: expected.length <= TINY.found });
  }
  const search = { ...filter, groupName: filter.groupName?.toLowerCase(), words };
  const exported = (await Array.fromAsync(store.clients.readAll(workspaceId, search))).flat();
  expect(exported.reverse(), text).toEqual(expected);
}

/** Written independently of the product, for the letters above. */
function hasWords({ name, email, referenceId }: Client, text: string): boolean {
  const own = plainWords(`${name} ${email} ${referenceId}`);
  const searched = plainWords(text);
  return searched.length > 0 && searched.every((word) => own.some((each) => each.indexOf(word) === 0));
}

function plainWords(text: string): string[] {
  const plain = text.toLowerCase().replace(/í/g, 'i').replace(/ó/g, 'o').replace(/æ/g, 'ae').replace(/ß/g, 'ss');
  return plain.split(/[ .@’-]+/).filter((word) => word !== '');
}
