import { expect, test } from 'vitest';
import { openTestConsole, type TestConsole } from '../../testing/test-console.ts';
import { openOnce } from '../../testing/when-finished.ts';

const EXPORT = '/console/sandbox/clients.csv';

async function firm(testConsole: TestConsole) {
  const browser = await testConsole.owner();
  for (const name of ['Ada', 'Bob', 'Cem']) {
    const client = {
      email: `${name}@mail.example`,
      client_name: name,
      client_type: 'individual',
      group_name: 'Retail',
    };
    await browser.post('/console/sandbox/clients', client);
  }
  const exports = async () =>
    (await browser.get('/console/activity?kind=client')).text.split('client.exported').length - 1;
  return { browser, exports };
}

test('an export is requested with a form, returns the clients that match its filters as a file, and is on record', async () => {
  const { browser, exports } = await firm(await openTestConsole());
  const all = await browser.send('POST', EXPORT, new URLSearchParams());
  expect(all.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(all.headers.get('content-disposition')).toMatch(
    /^attachment; filename="clients-sandbox-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect(all.headers.get('content-length')).toBeNull();
  expect(all.text.trim().split('\n')).toHaveLength(4);
  expect((await browser.send('POST', EXPORT)).text).toBe(all.text);

  const some = await browser.send('POST', EXPORT, new URLSearchParams({ search: 'exam bo', group_name: 'retail' }));
  expect(some.text).toMatch(/^[^\n]+\n[^\n]*Bob@mail\.example[^\n]*\n$/);
  const { groups } = (await browser.get('/console/sandbox/groups')).body.data as { groups: { group_token: string }[] };
  const unknown = '0b7c1d8e-5f5b-4c0a-9a51-000000000001';
  const inGroups = new URLSearchParams({ group_token: `${groups[0]?.group_token},${unknown}` });
  expect((await browser.send('POST', EXPORT, inGroups)).text).toBe(all.text);
  expect(await exports()).toBe(4);
  const { results } = (await browser.get('/console/activity?kind=client')).body.data as {
    results: { action: string; subject: string; clients: number }[];
  };
  const recorded = results.filter(({ action }) => action === 'client.exported');
  expect(recorded.map(({ subject, clients }) => [subject, clients])).toEqual([
    [`clients as CSV; group: Retail, ${unknown}`, 3],
    ['clients as CSV; group: retail; words: 2', 1],
    ['clients as CSV', 3],
    ['clients as CSV', 3],
  ]);
});

test('another site can neither read nor start an export', async () => {
  const testConsole = await openTestConsole();
  const { browser, exports } = await firm(testConsole);
  expect((await browser.get(EXPORT)).status).toBe(405);
  expect((await browser.send('HEAD', EXPORT)).status).toBe(405);
  for (const origin of ['https://evil.example', 'null', '']) {
    expect((await browser.send('POST', EXPORT, new URLSearchParams(), { origin })).status).toBe(403);
  }
  expect(await exports()).toBe(0);
});

const sharedFirm = openOnce(async () => firm(await openTestConsole()));

test.each([
  [new URLSearchParams({ serach: 'ada' }), /^serach is not a parameter .* did you mean search\?$/],
  [new URLSearchParams({ page: '2' }), /^page is not a parameter/],
  [new URLSearchParams({ request_status: 'done' }), /^request_status must be one of/],
  [new URLSearchParams({ created_from: '253402300800000' }), /^created_from must be a whole number/],
  // Without these filters, all clients would be exported.
  [new URLSearchParams('reference_ids='), /^reference_ids must not be empty/],
  [new URLSearchParams('group_token='), /^group_token must not be empty/],
  [new URLSearchParams('client_type=company&search=%20'), /^search must not be empty/],
  [{ search: 'ada' }, /^The body must be a form/],
  ['search=ada', /^The body must be a form/],
  [null, /^The body must be a form/],
])('an invalid form exports no clients: %s', async (form, message) => {
  const { browser, exports } = await sharedFirm();
  const answer = await browser.send('POST', EXPORT, form);
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
  expect((await browser.send('POST', `${EXPORT}?search=ada`)).status).toBe(400);
  expect(await exports()).toBe(0);
});

test('an export whose search is refused does not count as a running one', async () => {
  const { browser } = await firm(await openTestConsole());
  const tooManyWords = new URLSearchParams({ search: 'a b c d e f g h i j k l m n o p q r s t u' });
  for (let attempt = 0; attempt < 5; attempt++) {
    expect((await browser.send('POST', EXPORT, tooManyWords)).status).toBe(400);
  }
  expect((await browser.send('POST', EXPORT, new URLSearchParams())).status).toBe(200);
});

test('a search that is too long is refused before a file begins, and is not on record', async () => {
  const { browser, exports } = await firm(await openTestConsole());
  const search = 'a'.repeat(200_000);
  expect(await browser.send('POST', EXPORT, new URLSearchParams({ search }))).toMatchObject({
    status: 400,
    body: { message: 'search must have at most 300 characters.' },
  });
  expect((await browser.get(`/console/sandbox/clients?search=${'a'.repeat(301)}`)).status).toBe(400);
  expect(await exports()).toBe(0);
});
