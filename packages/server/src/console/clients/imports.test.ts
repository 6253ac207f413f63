import { expect, test } from 'vitest';
import { TEST_PASSWORD } from '../../testing/builders.ts';
import { type Browser, openTestConsole } from '../../testing/test-console.ts';
import { aWorkbook } from '../../testing/workbook.ts';

const IMPORTS = '/console/production/imports';
const HEADER = 'email,client_name,client_type,group_name';
const rows = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `c${first + index}@mail.example,Client,company,North\n`).join('');
const csv = (text: string) => `${HEADER}\n${text}`;

async function openScene() {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const onRecord = async () => (await owner.get('/console/activity?kind=client')).body.data?.results;
  const upload = (query: string, body: unknown = new TextEncoder().encode(csv(rows(1)))) =>
    owner.send('POST', `${IMPORTS}${query}`, body);
  return { ...testConsole, owner, onRecord, upload };
}

test('a file is imported in the background, is on record, and its rejected rows can be read', async () => {
  const { owner, onRecord, store } = await openScene();
  const ended = await owner.import('production', csv(`${rows(3)}wrong,Nobody,company,North\n`));
  expect(ended).toMatchObject({
    import: { file_name: 'clients.csv', state: 'completed', rows_read: 4, inserted: 3, rejected: 1, dry_run: false },
    rejected: [{ line: 5, reason: 'email must be an email address' }],
  });
  const { import_id: id } = ended.import;
  const rejects = await owner.send('POST', `${IMPORTS}/${id}/rejects.csv`, new URLSearchParams());
  expect(rejects.headers.get('content-disposition')).toBe(`attachment; filename="${id}-rejected.csv"`);
  expect(rejects.text).toMatch(/\nwrong,Nobody,.*,5,email must be an email address/);
  expect(await onRecord()).toMatchObject([
    { action: 'client.exported', member: 'owner@firm.example', subject: `rejected rows of ${id} as CSV` },
    { action: 'client.imported', member: 'owner@firm.example', subject: 'clients.csv', clients: 3 },
  ]);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('a check counts rows that repeat earlier ones, however many there are, and changes nothing', async () => {
  const { owner, onRecord } = await openScene();
  const file = csv(rows(12_000) + rows(12_000));
  const { import: checked } = await owner.import('production', file, { dryRun: true });
  expect(checked).toMatchObject({ state: 'completed', dry_run: true, inserted: 12_000, unchanged: 12_000 });
  expect(await onRecord()).toEqual([]);
  expect((await owner.import('production', csv('wrong,Nobody,company,North\n'))).import).toMatchObject({ rejected: 1 });
  expect(await onRecord()).toEqual([]);
});

test('the latest imports are listed, newest first, and those of the other environment are not', async () => {
  const { owner, clock } = await openScene();
  for (let number = 1; number <= 6; number++) {
    clock.advance(1);
    await owner.import('production', csv(rows(1, number)), { name: `${number}.csv` });
  }
  const { body } = await owner.get(IMPORTS);
  const listed = body.data?.results as { file_name: string }[];
  expect(listed.map(({ file_name }) => file_name)).toEqual(['6.csv', '5.csv', '4.csv', '3.csv', '2.csv']);
  expect((await owner.get('/console/sandbox/imports')).body.data).toEqual({ results: [] });
});

test('a workbook is read by its name, and a file that cannot be used fails with the reason', async () => {
  const { owner, upload } = await openScene();
  const workbook = aWorkbook([HEADER.split(','), ['a@mail.example', 'Ada', 'company', 'North']]);
  const { body } = await upload('?file_name=Clients.XLSX&dry_run=false', workbook);
  await expect
    .poll(async () => (await owner.get(`${IMPORTS}/${body.data?.import_id}`)).body.data?.import)
    .toMatchObject({ state: 'completed', inserted: 1 });
  expect((await owner.import('production', 'colour\nred\n')).import).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^line 1: the first row must be a header/),
  });
});

test('an import goes on when its member signs out, and ends when the member is removed', async () => {
  const { owner, store, clock, browser, signedInOwner } = await openScene();
  const member = browser();
  const { body } = await owner.post('/console/invitations', { email: 'second@firm.example', role: 'admin' });
  await member.post('/console/invitation/acceptance', { token: body.data?.token, password: TEST_PASSWORD });
  // One that nobody runs is in the way, so both imports wait.
  const [account] = await store.accounts.list();
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'production');
  const request = { name: 'x.csv', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  const by = { workspaceId, actor: { name: 'operator', address: '' } };
  await store.imports.begin({ ...by, id: 'imp_first', request, createdAt: clock.now() });
  await store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) => imports.enqueue('imp_first'));
  await store.imports.claim('nobody', clock.now());
  const start = async (browser: Browser, first: number) => {
    const bytes = new TextEncoder().encode(csv(rows(1, first)));
    const answer = await browser.send('POST', `${IMPORTS}?file_name=x.csv&dry_run=false`, bytes);
    return answer.body.data?.import_id;
  };
  const ofOwner = await start(owner, 1);
  const ofMember = await start(member, 2);
  await owner.delete('/console/session');
  const [removed] = (await store.members.list(account?.id ?? 0)).filter(({ email }) => email === 'second@firm.example');
  const again = await signedInOwner();
  await again.delete(`/console/members/${removed?.id}`);
  await again.delete(`${IMPORTS}/imp_first`);
  const stateOf = async (id: unknown) => (await again.get(`${IMPORTS}/${id}`)).body.data?.import;
  await expect.poll(() => stateOf(ofOwner)).toMatchObject({ state: 'completed', inserted: 1 });
  await expect
    .poll(() => stateOf(ofMember))
    .toMatchObject({
      state: 'failed',
      reason: 'The member or the API key that started the import may no longer change clients.',
    });
});

test('an import that is over cannot be cancelled, and one that nobody runs can', async () => {
  const { owner, store, clock } = await openScene();
  const { import: over } = await owner.import('production', csv(rows(1)));
  expect((await owner.delete(`${IMPORTS}/${over.import_id}`)).status).toBe(409);
  const [account] = await store.accounts.list();
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'production');
  const request = { name: 'x.csv', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  const actor = { name: 'operator', address: '' };
  const by = { workspaceId, actor };
  await store.imports.begin({ ...by, id: 'imp_left', request, createdAt: clock.now() });
  await store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) => imports.enqueue('imp_left'));
  // Claimed by a process that was killed.
  await store.imports.claim('nobody', clock.now());
  const cancelled = await owner.delete(`${IMPORTS}/imp_left`);
  expect([cancelled.status, cancelled.body.data?.state]).toEqual([200, 'cancelled']);
});

test.each<[string, string, unknown, number]>([
  ['with a name that is too long', `?file_name=${'x'.repeat(301)}`, undefined, 400],
  ['that should perhaps be checked only', '?file_name=x.csv&dry_run=', undefined, 400],
  ['that may or may not be checked only', '?file_name=x.csv&dry_run=maybe', undefined, 400],
  ['with an unknown encoding', '?file_name=x.csv&dry_run=false&encoding=klingon', undefined, 400],
  ['of another type', '?file_name=x.csv&dry_run=false', { rows: [] }, 415],
  ['that is too large', '?file_name=x.csv&dry_run=false', new Uint8Array(1024 * 1024 + 1), 413],
])('a file %s is refused, and no import is made of it', async (_what, query, body, status) => {
  const { owner, upload } = await openScene();
  expect((await upload(query, body)).status).toBe(status);
  expect((await owner.get(IMPORTS)).body.data).toEqual({ results: [] });
});

test('another site cannot send a file', async () => {
  const { owner } = await openScene();
  const elsewhere = { origin: 'http://evil.example' };
  const bytes = new TextEncoder().encode(csv(rows(1)));
  const { status } = await owner.send('POST', `${IMPORTS}?file_name=x.csv&dry_run=false`, bytes, elsewhere);
  expect(status).toBe(403);
});
