import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CLIENT_TYPES, type NewClient } from '../../domain/clients/client.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import { listClients } from '../../domain/clients/list-clients.ts';
import { REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import { fold } from '../../domain/text.ts';
import { aClient, addClients, aWorkspace, TestClock } from '../../testing/builders.ts';
import { openTestStore } from '../../testing/test-store.ts';

// Few values, so that clients share them, in the letter cases and normal forms that are easy to get wrong.
const groupName = fc.constantFrom(
  'North',
  'nORTH ',
  'Élan',
  'E\u0301LAN',
  'İzmir',
  'i\u0307zmir',
  'Straße',
  '\u212Aelvin',
  'kelvin',
  '%',
);
const email = fc.constantFrom(
  'a@x.example',
  'A@X.example',
  'b@x.example',
  'ÉVA@x.example',
  'e\u0301va@x.example',
  '_@x.example',
);
const requestStatus = fc.constantFrom(...REQUEST_STATUSES);
const type = fc.constantFrom(...CLIENT_TYPES);
const createdAt = fc.integer({ min: 0, max: 4 }).map((second) => second * 1000);

const clients = fc.array(fc.record({ groupName, email, requestStatus, type, createdAt }), { maxLength: 40 });
const query = fc.record(
  {
    email,
    groupName: fc.oneof(groupName, fc.constant('nobody')),
    requestStatuses: fc.array(requestStatus, { minLength: 1, maxLength: 3 }),
    clientType: type,
    pageNumber: fc.integer({ min: 1, max: 6 }),
    pageLimit: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: ['pageNumber', 'pageLimit'] },
);

test('any page of any list is what filtering, sorting and slicing an array gives', async () => {
  const store = await openTestStore();
  const clock = new TestClock();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(clients, fc.array(query, { minLength: 1, maxLength: 8 }), async (drafts, queries) => {
      const { workspaceId } = await aWorkspace(store, clock, `owner${++run}@firm.example`);
      const all = withoutDuplicates(drafts.map((draft) => aClient(draft)));
      await addClients(store, workspaceId, all);
      for (const request of queries) {
        const matching = newestFirst(all).filter((client) => matches(client, request));
        const start = (request.pageNumber - 1) * request.pageLimit;
        const page = await listClients(store, workspaceId, request);
        expect(page.totalCount).toBe(matching.length);
        expect(page.totalPages).toBe(Math.ceil(matching.length / request.pageLimit));
        expect(page.clients.map((client) => client.referenceId)).toEqual(
          matching.slice(start, start + request.pageLimit).map((client) => client.referenceId),
        );
      }
    }),
    { numRuns: 60 },
  );
});

function matches(client: NewClient, filter: ClientFilter): boolean {
  return (
    (filter.email === undefined || same(client.email, filter.email)) &&
    (filter.groupName === undefined || same(client.groupName, filter.groupName)) &&
    (filter.requestStatuses?.includes(client.requestStatus) ?? true) &&
    (filter.clientType === undefined || client.type === filter.clientType)
  );
}

const same = (a: string, b: string) => fold(a) === fold(b);

/** Reversed before the sort, which is stable, so that of clients with the same time the later one comes first. */
function newestFirst(clients: readonly NewClient[]): NewClient[] {
  return clients.toReversed().sort((a, b) => b.createdAt - a.createdAt);
}

/** An email is unique within a group, so only the first client with it is kept. */
function withoutDuplicates(clients: readonly NewClient[]): NewClient[] {
  const seen = new Set<string>();
  return clients.filter(({ groupName, email }) => {
    const identity = JSON.stringify([fold(groupName), fold(email)]);
    return !seen.has(identity) && seen.add(identity);
  });
}
