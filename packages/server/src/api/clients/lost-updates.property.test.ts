import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { type Call, openCaller } from '../../testing/api-caller.ts';
import { TestClock } from '../../testing/builders.ts';
import { openTestApi } from '../../testing/test-api.ts';
import { newDatabase, openTestStoreAt } from '../../testing/test-store.ts';

const CLIENTS = '/api/v1/clients/';
const RUNS = Number(process.env.ROLLCALL_TEST_RUNS ?? 15);

/** Two nodes on one database, and a program with a client that both know. */
async function openScene() {
  const url = await newDatabase(inject('engine'));
  const clock = new TestClock();
  const node = await openTestApi(await openTestStoreAt(url), { clock });
  const other = await openTestApi(await openTestStoreAt(url), { clock });
  const { call, callOf, workspaceId } = await openCaller(node, 'a@firm.example');
  let number = 0;
  const newClient = async () => {
    const { data } = await call('POST', CLIENTS, {
      email: `client${number++}@mail.example`,
      client_name: '0',
      client_type: 'company',
      group_name: 'G',
    });
    const names = async () => {
      const events = await node.store.clients.history(workspaceId, data.reference_id);
      return events.slice(1).flatMap(({ to }) => to?.client_name ?? []);
    };
    return { path: `${CLIENTS}${data.reference_id}/`, names };
  };
  return { calls: [call, callOf(other)], newClient };
}

const programs = fc.array(
  fc.record({
    node: fc.nat(1),
    steps: fc.integer({ min: 1, max: 5 }),
    /** What else the program changes together with the counter. */
    field: fc.constantFrom('client_type', 'client_status', 'none'),
  }),
  { minLength: 2, maxLength: 5 },
);

test('programs on two nodes that change the same client with If-Match never lose an update', async () => {
  const { calls, newClient } = await openScene();
  let refused = 0;
  const increment = async (call: Call, path: string, field: string) => {
    for (;;) {
      const { data, headers } = await call('GET', path);
      const also = {
        client_type: { client_type: data.client_type === 'company' ? 'individual' : 'company' },
        client_status: { client_status: data.client_status === 'active' ? 'inactive' : 'active' },
      }[field];
      const sent = { client_name: String(Number(data.client_name) + 1), ...also };
      const { status } = await call('PATCH', path, sent, { 'if-match': headers.get('etag') ?? '' });
      if (status === 200) return;
      expect(status).toBe(412);
      refused++;
    }
  };
  await fc.assert(
    fc.asyncProperty(programs, async (together) => {
      const { path, names } = await newClient();
      await Promise.all(
        together.map(async ({ node, steps, field }) => {
          for (let step = 0; step < steps; step++) await increment(calls[node] as Call, path, field);
        }),
      );
      const total = together.reduce((sum, { steps }) => sum + steps, 0);
      for (const call of calls) expect((await call('GET', path)).data.client_name).toBe(String(total));
      // Every counted step is in the history, in order, and nothing of those that were refused.
      expect(await names()).toEqual(Array.from({ length: total }, (_, index) => String(index + 1)));
    }),
    { numRuns: RUNS },
  );
  expect(refused).toBeGreaterThan(0);
});

test('without If-Match, the later of two changes wins, and the history shows both', async () => {
  const { calls, newClient } = await openScene();
  const { path, names } = await newClient();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => (calls[index % 2] as Call)('PATCH', path, { client_name: `by ${index}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const inOrder = await names();
  expect(inOrder.toSorted()).toEqual(answers.map((_, index) => `by ${index}`));
  for (const call of calls) expect((await call('GET', path)).data.client_name).toBe(inOrder.at(-1));
});
