import { expect, test } from 'vitest';
import { type Browser, openTestConsole } from '../../testing/test-console.ts';

const VIEWS = '/console/sandbox/views';
const FILTERS = { statuses: ['pending', 'requested'], days: 7, order: 'oldest' };

interface View {
  view_id: string;
  name: string;
  is_shared: boolean;
}

async function viewsOf(browser: Browser, path = VIEWS): Promise<View[]> {
  return (await browser.get(path)).body.data?.views as View[];
}

async function save(browser: Browser, name: string, isShared = false, filters: object = FILTERS): Promise<View> {
  const { body } = await browser.post(VIEWS, { name, filters, is_shared: isShared });
  return body.data as unknown as View;
}

async function entriesAbout(browser: Browser, kind: string): Promise<string[]> {
  const { body } = await browser.get(`/console/activity?kind=${kind}`);
  const entries = body.data?.results as { action: string; subject: string }[];
  return entries.map(({ action, subject }) => `${action} ${subject}`);
}

test('a member saves views, which are listed by name, can be changed and deleted, and are of one environment', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  const tenth = await save(browser, 'Team 10');
  const second = await save(browser, ' Team 2 ');
  expect(await viewsOf(browser)).toEqual([
    { view_id: second.view_id, name: 'Team 2', filters: FILTERS, is_shared: false },
    { view_id: tenth.view_id, name: 'Team 10', filters: FILTERS, is_shared: false },
  ]);
  const change = { name: 'Everybody', filters: { search: 'ada' } };
  expect((await browser.send('PATCH', `${VIEWS}/${tenth.view_id}`, change)).body.data).toMatchObject(change);
  expect((await browser.delete(`${VIEWS}/${second.view_id}`)).status).toBe(200);
  expect((await viewsOf(browser)).map(({ name }) => name)).toEqual(['Everybody']);
  expect(await viewsOf(browser, '/console/production/views')).toEqual([]);
  // The log has ids, and shows the present name of a view that the reader sees.
  expect(await entriesAbout(browser, 'view')).toEqual([
    `view.removed ${second.view_id}`,
    'view.changed Everybody',
    `view.saved ${second.view_id}`,
    'view.saved Everybody',
  ]);
});

test('erasing a client removes the views of all members that name it or find nobody else, and no others', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const viewer = await testConsole.join(owner, 'viewer@firm.example', 'viewer');
  const add = async (client_name: string, email: string) => {
    const form = { client_name, email, client_type: 'individual', group_name: 'North' };
    return (await owner.post('/console/sandbox/clients', form)).body.data?.reference_id;
  };
  await add('Ada Smith', 'smith@mail.example');
  await add('Abigail Jones', 'jones@mail.example');
  const erased = await add('Ada Abebe', 'ada.abebe@mail.example');
  const kept = ['Ada', 'Ada and Abigail', 'All of mail.example', 'Anybody', 'Abebeville'];
  await save(owner, 'Ada', true, { search: 'ada' });
  await save(owner, 'Ada and Abigail', false, { search: 'ab' });
  await save(owner, 'All of mail.example', true, { search: 'mail.example' });
  // More words than a search may have.
  await save(owner, 'Anybody', false, { search: Array.from({ length: 30 }, (_, word) => `ada${word}`).join(' ') });
  await save(owner, 'Abebeville', false, {});
  const removed = [
    await save(owner, 'Her email', true, { search: 'ADA.ABEBE@mail.example' }),
    await save(owner, 'One word', false, { search: 'abeb' }),
    await save(viewer, 'Abebe', false, { search: 'abebe, ada', statuses: ['pending'] }),
    await save(viewer, 'Questions of Ada Abébé', false, {}),
    await save(viewer, 'Her number', false, { search: String(erased) }),
  ];
  expect((await owner.delete(`/console/sandbox/clients/${erased}`)).status).toBe(200);
  const names = async (browser: Browser) => (await viewsOf(browser)).map(({ name }) => name);
  expect(await names(owner)).toEqual(kept.sort());
  expect(await names(viewer)).toEqual(['Ada', 'All of mail.example']);

  const entries = await entriesAbout(owner, 'view');
  const ids = removed.map(({ view_id: id }) => id);
  expect(entries.slice(0, 5).sort()).toEqual(ids.map((id) => `view.removed ${id}`).sort());
  expect(JSON.stringify((await owner.get('/console/activity')).body.data).toLowerCase()).not.toContain('abebe@');
  expect(entries.join('\n').toLowerCase()).not.toContain('ada abeb');
  expect((await testConsole.store.checkConsistency()).problems).toEqual([]);
});

test('the log does not show the names of views that only another member sees', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const viewer = await testConsole.join(owner, 'viewer@firm.example', 'viewer');
  const own = await save(viewer, 'Private');
  const shared = await save(owner, 'Shared', true);
  expect(await entriesAbout(owner, 'view')).toEqual(['view.saved Shared', `view.saved ${own.view_id}`]);
  expect(await entriesAbout(viewer, 'view')).toEqual(['view.saved Shared', 'view.saved Private']);
  await owner.delete(`${VIEWS}/${shared.view_id}`);
  expect(await entriesAbout(viewer, 'view')).toContain(`view.saved ${shared.view_id}`);
});

test('a view is seen by its member only until an admin shares it, and only admins and owners change shared ones', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const viewer = await testConsole.join(owner, 'viewer@firm.example', 'viewer');
  const { view_id: id } = await save(owner, 'Waiting');
  expect(await viewsOf(viewer)).toEqual([]);
  expect((await viewer.send('PATCH', `${VIEWS}/${id}`, { name: 'Mine' })).status).toBe(404);
  expect((await viewer.delete(`${VIEWS}/${id}`)).status).toBe(404);

  await owner.send('PATCH', `${VIEWS}/${id}`, { is_shared: true });
  expect(await viewsOf(viewer)).toMatchObject([{ name: 'Waiting', is_shared: true }]);
  expect((await viewer.send('PATCH', `${VIEWS}/${id}`, { is_shared: false })).status).toBe(403);
  expect((await viewer.delete(`${VIEWS}/${id}`)).status).toBe(403);
  expect((await viewer.post(VIEWS, { name: 'Ours', filters: {}, is_shared: true })).status).toBe(403);
  const own = await save(viewer, 'Own');
  expect((await viewer.send('PATCH', `${VIEWS}/${own.view_id}`, { is_shared: true })).status).toBe(403);

  // Whoever makes it private again keeps it.
  const admin = await testConsole.join(owner, 'admin@firm.example', 'admin');
  await admin.send('PATCH', `${VIEWS}/${id}`, { is_shared: false });
  expect(await viewsOf(owner)).toEqual([]);
  expect((await viewsOf(admin)).map(({ name }) => name)).toEqual(['Waiting']);
});

test('when a member leaves, their own views go and those that they have shared stay', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const admin = await testConsole.join(owner, 'admin@firm.example', 'admin');
  await save(admin, 'Private');
  await save(admin, 'Shared', true);
  const { body } = await owner.get('/console/members');
  const members = body.data?.members as { member_id: number; email: string }[];
  await owner.delete(`/console/members/${members.find(({ email }) => email === 'admin@firm.example')?.member_id}`);
  // On SQLite, the next member may get the number of the one who left.
  const next = await testConsole.join(owner, 'next@firm.example', 'admin');
  expect((await viewsOf(next)).map(({ name }) => name)).toEqual(['Shared']);
  expect((await testConsole.store.checkConsistency()).problems).toEqual([]);
});

test('a name is used once, and a member has at most 100 views', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  for (let number = 1; number <= 100; number++) await save(browser, `View ${number}`);
  const full = await browser.post(VIEWS, { name: 'One more', filters: {}, is_shared: false });
  expect([full.status, full.body.message]).toEqual([409, 'You have 100 views already. Delete one first.']);
  const again = await browser.post(VIEWS, { name: 'VIEW 7', filters: {}, is_shared: true });
  expect([again.status, again.body.message]).toEqual([
    409,
    'name is taken: one of your views is called View 7 already.',
  ]);
  expect((await browser.post(VIEWS, { name: 'One more', filters: {}, is_shared: true })).status).toBe(200);
});

test.each([
  [{ name: ' ', filters: {}, is_shared: false }, 'name must not be empty.'],
  [{ name: 'x'.repeat(61), filters: {}, is_shared: false }, 'name must have at most 60 characters.'],
  [{ name: 'X', filters: { colour: 'red' }, is_shared: false }, /^filters\.colour is not a field/],
  [{ name: 'X', filters: { statuses: ['done'] }, is_shared: false }, /^filters\.statuses must be one of/],
  [{ name: 'X', filters: { groups: ['North'] }, is_shared: false }, 'filters.groups must consist of UUIDs.'],
  [{ name: 'X', filters: { from: 'today' }, is_shared: false }, 'filters.from must have the form of 2026-01-31.'],
  [{ name: 'X', filters: { days: 0 }, is_shared: false }, /^filters\.days must be a whole number/],
])('a view that cannot be used is refused: %j', async (form, message) => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  const { status, body } = await browser.post(VIEWS, form);
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  expect(await viewsOf(browser)).toEqual([]);
});
