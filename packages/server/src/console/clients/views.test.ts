import { expect, test } from 'vitest';
import { saveView } from '../../domain/clients/manage-views.ts';
import { type Browser, openTestConsole } from '../../testing/test-console.ts';
import { openOnce } from '../../testing/when-finished.ts';

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
  const entries = body.data?.results as { action: string; subject: string; unnamed_view: string | null }[];
  return entries.map(({ action, subject, unnamed_view: unnamed }) => `${action} ${unnamed ? `(${unnamed})` : subject}`);
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
    'view.removed (deleted)',
    'view.changed Everybody',
    'view.saved (deleted)',
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
  expect(entries.filter((entry) => entry === 'view.removed (deleted)')).toHaveLength(removed.length);
  expect(JSON.stringify((await owner.get('/console/activity')).body.data).toLowerCase()).not.toContain('abebe@');
  expect(entries.join('\n').toLowerCase()).not.toContain('ada abeb');
  expect((await testConsole.store.checkConsistency()).problems).toEqual([]);
});

test('the log does not show the names of views that only another member sees', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const viewer = await testConsole.join(owner, 'viewer@firm.example', 'viewer');
  await save(viewer, 'Private');
  const shared = await save(owner, 'Shared', true);
  expect(await entriesAbout(owner, 'view')).toEqual(['view.saved Shared', 'view.saved (private)']);
  expect(await entriesAbout(viewer, 'view')).toEqual(['view.saved Shared', 'view.saved Private']);
  await owner.delete(`${VIEWS}/${shared.view_id}`);
  expect(await entriesAbout(viewer, 'view')).toContain('view.saved (deleted)');
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

const sharedOwner = openOnce(async () => (await openTestConsole()).owner());

test.each([
  [{ name: ' ', filters: {}, is_shared: false }, 'name must not be empty.'],
  [{ name: 'x'.repeat(61), filters: {}, is_shared: false }, 'name must have at most 60 characters.'],
  [{ name: 'X', filters: { colour: 'red' }, is_shared: false }, /^filters\.colour is not a field/],
  [{ name: 'X', filters: { statuses: ['done'] }, is_shared: false }, /^filters\.statuses must be one of/],
  [{ name: 'X', filters: { groups: ['North'] }, is_shared: false }, 'filters.groups must consist of UUIDs.'],
  [{ name: 'X', filters: { groups: [] }, is_shared: false }, 'filters.groups must not be empty.'],
  [{ name: 'X', filters: { statuses: [] }, is_shared: false }, 'filters.statuses must not be empty.'],
  [{ name: 'X', filters: { search: ' \u2003' }, is_shared: false }, 'filters.search must not be empty.'],
  [{ name: 'X', filters: { from: 'today' }, is_shared: false }, /^filters\.from must be a day that exists/],
  [{ name: 'X', filters: { from: '2026-02-31' }, is_shared: false }, /^filters\.from must be a day that exists/],
  [{ name: 'X', filters: { until: '2026-13-01' }, is_shared: false }, /^filters\.until must be a day that exists/],
  [{ name: 'X', filters: { days: 0 }, is_shared: false }, /^filters\.days must be a whole number/],
])('a view that cannot be used is refused: %j', async (form, message) => {
  const browser = await sharedOwner();
  const { status, body } = await browser.post(VIEWS, form);
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
  expect(await viewsOf(browser)).toEqual([]);
});

test('a view is kept as it will be read: without spaces around words, with tokens in small letters, and every value once', async () => {
  const { owner } = await openTestConsole();
  const browser = await owner();
  const token = '0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90';
  const filters = {
    search: `${' '.repeat(1_040_000)}€`,
    groups: [token.toUpperCase(), ` ${token}`],
    statuses: ['pending', 'pending'],
    from: ' 2024-02-29 ',
  };
  const kept = { search: '€', groups: [token], statuses: ['pending'], from: '2024-02-29' };
  const { body } = await browser.post(VIEWS, { name: 'X', filters, is_shared: false });
  expect(body.data?.filters).toEqual(kept);
  const path = `${VIEWS}/${body.data?.view_id}`;
  expect((await browser.send('PATCH', path, { filters })).body.data?.filters).toEqual(kept);
  expect(await viewsOf(browser)).toMatchObject([{ filters: kept }]);
});

test('a view with the longest filters that the form accepts is saved, and a longer one is refused by whatever way it comes', async () => {
  const testConsole = await openTestConsole();
  const browser = await testConsole.owner();
  const filters = {
    search: '\u0001'.repeat(300),
    statuses: ['requested', 'accepted', 'pending', 'completed', 'declined'],
    groups: Array.from({ length: 20 }, (_, index) => `0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e${10 + index}`),
    ...{ type: 'individual', active: 'inactive', from: '2026-01-01', until: '2026-12-31', days: 3660, order: 'newest' },
  };
  expect((await browser.post(VIEWS, { name: 'Longest', filters, is_shared: false })).status).toBe(200);

  const [account] = await testConsole.store.accounts.list();
  const accountId = account?.id ?? 0;
  const [member] = await testConsole.store.members.list(accountId);
  const actor = {
    accountId,
    memberId: member?.id ?? 0,
    name: 'owner@firm.example',
    role: 'owner',
    address: '',
  } as const;
  const workspaceId = await testConsole.store.accounts.workspaceId(accountId, 'sandbox');
  const longer = { name: 'Longer', filters: { search: 'x'.repeat(5000) }, isShared: false };
  const saving = saveView(
    { ...testConsole.store, clock: testConsole.clock },
    { actor, workspaceId, environment: 'sandbox' },
    longer,
  );
  await expect(saving).rejects.toMatchObject({ code: 'bad_parameter' });
});

test('a change that changes nothing is not recorded, whoever makes it', async () => {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const viewer = await testConsole.join(owner, 'viewer@firm.example', 'viewer');
  const { view_id: id, name } = await save(viewer, 'Waiting');
  const { order, days, statuses } = FILTERS;
  for (const change of [{}, { name: ` ${name} ` }, { filters: { order, days, statuses } }, { is_shared: false }]) {
    const { status, body } = await viewer.send('PATCH', `${VIEWS}/${id}`, change);
    expect([status, body.data]).toEqual([200, { view_id: id, name, filters: FILTERS, is_shared: false }]);
  }
  const { body } = await owner.get('/console/activity?kind=view');
  expect(body.data).toMatchObject({ total_count: 1, results: [{ action: 'view.saved' }] });
});

test('a member may not fill the activity log faster than by hand, and others are not held up', async () => {
  const testConsole = await openTestConsole({ writesPerMinute: 5 });
  const owner = await testConsole.owner();
  const viewer = await testConsole.join(owner, 'viewer@firm.example', 'viewer');
  for (let number = 1; number <= 5; number++) await save(viewer, `View ${number}`);
  const beyond = await viewer.post(VIEWS, { name: 'One more', filters: {}, is_shared: false });
  expect([beyond.status, beyond.body.message]).toEqual([
    429,
    expect.stringMatching(/^Too many requests: a member may make 5/),
  ]);
  expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await viewer.get(VIEWS)).status).toBe(200);
  expect((await save(owner, 'Mine')).name).toBe('Mine');
  testConsole.clock.advance(60);
  expect((await save(viewer, 'One more')).name).toBe('One more');
});
