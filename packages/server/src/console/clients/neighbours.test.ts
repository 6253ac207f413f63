import { expect, test } from 'vitest';
import { openTestConsole } from '../../testing/test-console.ts';

const HEADER = 'email,client_name,client_type,group_name,request_status,created_at';

/** Ada, Ben, Cem, Dee and Eve, from the oldest to the newest; Ben and Cem were added at the same time. */
const ROWS = [
  'ada@mail.example,Ada One,company,North,pending,2026-01-01',
  'ben@mail.example,Ben One,company,South,pending,2026-01-02',
  'cem@mail.example,Cem Two,company,East,pending,2026-01-02',
  'dee@mail.example,Dee One,company,North,completed,2026-01-03',
  'eve@mail.example,Eve Two,company,South,pending,2026-01-04',
];

interface Listed {
  reference_id: string;
  client_name: string;
  group_name: string;
  group_token: string;
}

async function scene() {
  const { owner } = await openTestConsole();
  const browser = await owner();
  await browser.import('sandbox', `${HEADER}\n${ROWS.join('\n')}\n`);
  const list = async (query = '') =>
    ((await browser.get(`/console/sandbox/clients${query}`)).body.data?.results ?? []) as Listed[];
  const clients = await list();
  const nameOf = (id: unknown) => clients.find(({ reference_id }) => reference_id === id)?.client_name.slice(0, 3);
  const idOf = (name: string) => clients.find(({ client_name }) => client_name.startsWith(name))?.reference_id;
  const beside = async (name: string, query = '') => {
    const { body } = await browser.get(`/console/sandbox/clients/${idOf(name)}/neighbours${query}`);
    return [nameOf(body.data?.previous), nameOf(body.data?.next)];
  };
  const tokenOf = (group: string) => clients.find(({ group_name }) => group_name === group)?.group_token;
  const names = async (query: string) => (await list(query)).map(({ client_name }) => client_name.slice(0, 3));
  return { browser, beside, idOf, tokenOf, names };
}

test('a client has neighbours in the list, in either order, also among those added at the same time', async () => {
  const { beside } = await scene();
  expect(await beside('Eve')).toEqual([undefined, 'Dee']);
  expect(await beside('Cem')).toEqual(['Dee', 'Ben']);
  expect(await beside('Ben')).toEqual(['Cem', 'Ada']);
  expect(await beside('Ada')).toEqual(['Ben', undefined]);
  expect(await beside('Cem', '?order=oldest')).toEqual(['Ben', 'Dee']);
});

test('the neighbours match the filters, whether the client itself does or not', async () => {
  const { beside, tokenOf } = await scene();
  expect(await beside('Dee', '?request_status=pending')).toEqual(['Eve', 'Cem']);
  expect(await beside('Ben', `?group_token=${tokenOf('North')}`)).toEqual(['Dee', 'Ada']);
  expect(await beside('Ben', '?request_status=declined')).toEqual([undefined, undefined]);
});

test('in a search, neighbours are found on the page and beside it', async () => {
  const { beside } = await scene();
  expect(await beside('Ben', '?search=one')).toEqual(['Dee', 'Ada']);
  expect(await beside('Ben', '?search=one&page=2&page_limit=1')).toEqual(['Dee', 'Ada']);
  expect(await beside('Ada', '?search=one&page=3&page_limit=1')).toEqual(['Ben', undefined]);
  expect(await beside('Eve', '?search=one')).toEqual([undefined, undefined]);
});

test('a client that does not exist has no neighbours', async () => {
  const { browser, idOf } = await scene();
  for (const query of ['', '?search=one']) {
    expect((await browser.get(`/console/sandbox/clients/nobody/neighbours${query}`)).status).toBe(404);
    expect((await browser.get(`/console/production/clients/${idOf('Ada')}/neighbours${query}`)).status).toBe(404);
  }
});

test('a list may have several statuses and several groups', async () => {
  const { browser, names, tokenOf } = await scene();
  const groups = `group_token=${tokenOf('North')},${tokenOf('East')?.toUpperCase()}`;
  expect(await names(`?${groups}`)).toEqual(['Dee', 'Cem', 'Ada']);
  expect(await names(`?${groups}&request_status=completed,declined`)).toEqual(['Dee']);
  expect(await names('?request_status=pending,completed')).toHaveLength(5);
  expect(await names(`?search=one&${groups}`)).toEqual(['Dee', 'Ada']);
  const counts = await browser.get(`/console/sandbox/client-counts?${groups}`);
  expect(counts.body.data).toMatchObject({ total_count: 3, by_status: { pending: 2, completed: 1 } });
  const file = await browser.send('POST', '/console/sandbox/clients.csv', new URLSearchParams(groups));
  expect(file.text.trim().split('\n')).toHaveLength(4);

  const tooMany = Array(21).fill(tokenOf('North')).join(',');
  expect((await browser.get(`/console/sandbox/clients?group_token=${tooMany}`)).status).toBe(400);
  expect((await browser.get('/console/sandbox/clients?group_token=North')).status).toBe(400);
});
