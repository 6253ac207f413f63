import { expect, test } from 'vitest';
import { exchange, list } from '../api.ts';
import { expectPage, visitor } from '../browser.ts';
import { joinAsViewer, openFirm, openProgram, signedIn, signIn, useDashboard } from './firm.ts';
import { problemsOn } from './problems.ts';

useDashboard();

const SEARCH = 'Search by words of the name, email or IDs';

test('no shortcut, way back or switch of the environment drops the filters of the list', async () => {
  const firm = await openFirm({ clients: 30 });
  const page = await signedIn(firm);
  await page.goto('/sandbox/clients?status=completed&size=10');
  await expectPage(page.getByText('Request status: Completed')).toBeVisible();
  await page.locator('h1').click();
  await page.keyboard.press('/');
  await expectPage(page.getByLabel(SEARCH)).toBeFocused();
  expect(new URL(page.url()).search).toBe('?status=completed&size=10');

  await page.locator('.row-link').first().click();
  await page.getByRole('link', { name: '← Clients' }).click();
  await page.waitForURL('**/sandbox/clients?*status=completed*');
  await page.getByText('Production', { exact: true }).click();
  await page.waitForURL('**/production/clients?*status=completed*');
  await expectPage(page.getByText('Request status: Completed')).toBeVisible();

  // A group belongs to one environment, so the one of the same name is taken, and the other is left out.
  await page.getByText('Sandbox', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Group', exact: true }).click();
  const [one = '', other = ''] = await page.getByRole('option').allInnerTexts();
  for (const name of [one, other]) await page.getByRole('option', { name, exact: true }).click();
  await page.keyboard.press('Escape');
  await expectPage(page.getByText(`Group: ${other}`)).toBeVisible();
  await firm.program.json(['group', 'create', one, '--account', firm.owner, '--environment', 'production']);
  await page.getByText('Production', { exact: true }).click();
  await page.waitForURL('**/production/clients?*status=completed*');
  const leftOut = page.getByText(`Production has no group “${other}”, so this filter was left out.`);
  await expectPage(leftOut).toBeVisible();
  await expectPage(page.getByText(`Group: ${one}`)).toBeVisible();
  await expectPage(page.getByText(/^Group: /)).toHaveCount(1);
  // As long as it is pointed at, it does not go by itself.
  await leftOut.hover();
  await page.goBack();
  await expectPage(page.getByText(`Group: ${other}`)).toBeVisible();
  await expectPage(leftOut).toHaveCount(0);

  await page.goto('/sandbox/import');
  await page.getByText('Production', { exact: true }).click();
  await page.waitForURL('**/production/import');
});

test('while Rollcall is away, a page that is not loaded yet waits, and opens when Rollcall is back', async () => {
  const page = await signedIn(await openFirm({ clients: 3 }));
  await page.goto('/sandbox/clients');
  await expectPage(page.getByText('3 clients')).toBeVisible();
  await page.route('**/*', (route) => route.abort('connectionrefused'));
  await page.getByRole('link', { name: 'Groups' }).click();
  await expectPage(page.getByText('Rollcall cannot be reached')).toBeVisible();
  await expectPage(page.getByRole('link', { name: 'Clients' })).toBeVisible();
  await page.unroute('**/*');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible();
});

test('a link that is only pointed at while Rollcall is away costs nothing that was entered', async () => {
  const page = await signedIn(await openFirm({ clients: 3 }));
  await page.goto('/sandbox/clients');
  await page.getByRole('button', { name: 'Add client' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Ada');
  await page.route('**/*', (route) => route.abort('connectionrefused'));
  await page.getByRole('link', { name: 'Groups' }).dispatchEvent('mouseover');
  await page.getByRole('link', { name: 'Groups' }).dispatchEvent('mouseenter');
  await page.getByRole('link', { name: 'Groups' }).dispatchEvent('focus');
  await page.waitForTimeout(500);
  await page.unroute('**/*');
  await page.waitForTimeout(2500);
  await expectPage(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Ada');
});

test('a script that is broken is reported, and the page is not loaded again and again', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/clients');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Clients' })).toBeVisible();
  await page.route('**/assets/groups-page*', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Groups' }).click();
  await expectPage(page.getByText('This page could not be loaded.')).toBeVisible();
  await expectPage(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('a link that is shown once is not lost by a stray key', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/settings/members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('ann@firm.example');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expectPage(dialog.getByText('/invitation#')).toBeVisible();
  await page.keyboard.press('Escape');
  await expectPage(dialog.getByText('/invitation#')).toBeVisible();
});

test('a change of many clients leaves out those that need none, says each reason once, and moves no row', async () => {
  const page = await signedIn(await openFirm({ clients: 40 }));
  await page.goto('/sandbox/clients?size=50');
  const first = page.locator('.row').first();
  await expectPage(first).toBeVisible();
  const before = await first.boundingBox();
  await page.getByLabel('Select all on this page').check();
  await expectPage(page.getByText('40 selected')).toBeInViewport();
  expect((await first.boundingBox())?.y).toBe(before?.y);
  await page.mouse.wheel(0, 10_000);
  await expectPage(page.getByText('40 selected')).toBeInViewport();

  await page.getByRole('combobox', { name: 'Set request status of the selected clients' }).click();
  await page.getByRole('option', { name: 'Completed' }).click();
  const dialog = page.getByRole('dialog');
  await expectPage(dialog.getByText(/of the selected clients (is|are) already Completed\./)).toBeVisible();
  for (const from of ['Requested', 'Accepted', 'Declined']) {
    await expectPage(dialog.getByText(`${from} and cannot become Completed.`)).toHaveCount(1);
  }
  await dialog.getByRole('button', { name: /^Change \d+ clients?$/ }).click();
  await expectPage(page.getByText(/^\d+ clients? changed to Completed\. \d+ not changed\.$/)).toBeVisible();
});

test('bars are as wide as their share, days are named as they are meant, 52 weeks are 364 days, and a page follows midnight', async () => {
  // In a profile that no other test uses, because it cannot forget the other clock.
  const page = await signedIn(await openFirm({ clients: 60, groups: 1 }), {});
  await page.goto('/sandbox/groups');
  const bar = page.locator('.status-distribution').first();
  await expectPage(bar).toBeVisible();
  const parts = await bar.locator('a').evaluateAll((links) =>
    links.map((link) => {
      const { width } = (link as unknown as { getBoundingClientRect(): { width: number } }).getBoundingClientRect();
      return { width, count: Number(/: ([\d,]+)$/.exec(String((link as unknown as { title: string }).title))?.[1]) };
    }),
  );
  const [width, count] = [
    parts.reduce((sum, each) => sum + each.width, 0),
    parts.reduce((sum, each) => sum + each.count, 0),
  ];
  expect(count).toBe(60);
  for (const part of parts) expect(part.width / width).toBeCloseTo(part.count / count, 2);

  await page.goto('/sandbox/clients?from=2026-10-19&until=2026-10-20');
  await expectPage(page.getByRole('button', { name: 'Remove Added on Oct 19, 2026' })).toBeVisible();
  await page.goto('/sandbox/clients?from=2026-10-19&until=2026-10-26');
  await expectPage(page.getByRole('button', { name: 'Remove Added Oct 19 – 25, 2026' })).toBeVisible();

  const evening = new Date();
  evening.setHours(23, 58, 0, 0);
  await page.clock.install({ time: evening });
  await page.goto('/sandbox/overview');
  await expectPage(page.getByText('52 weeks')).toBeVisible();
  const asked = page.waitForRequest((request) => request.url().includes('/new-clients'));
  await page.getByText('52 weeks').click();
  const asked52 = new URL((await asked).url()).searchParams.get('times')?.split(',').map(Number) ?? [];
  // The first two are the period with which it is compared.
  const times = asked52.slice(2);
  expect(Math.round(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 86_400_000)).toBe(364);

  const askedAgain = page.waitForRequest((request) => request.url().includes('/new-clients'));
  await page.clock.fastForward('05:00');
  const last = Number(new URL((await askedAgain).url()).searchParams.get('times')?.split(',').at(-1));
  expect(Math.round((last - (times.at(-1) ?? 0)) / 86_400_000), 'days').toBe(1);
});

test('a toast can be read and closed by everybody', async () => {
  const page = await signedIn(await openFirm({ clients: 3 }), { colorScheme: 'light' });
  await page.goto('/sandbox/clients');
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('combobox', { name: 'Move the selected clients to a group' }).click();
  await page.getByRole('option').last().click();
  await page.getByRole('button', { name: /^Move \d+ clients?$/ }).click();
  const toast = page.getByRole('alert');
  await expectPage(toast).toContainText(/moved to “.+”\./);
  // While it is pointed at, it stays.
  await toast.hover();
  expect(await problemsOn(page, '.mantine-Notifications-root')).toEqual([]);
  await page.getByLabel('Select all on this page').check();
  const bar = page.getByRole('region', { name: 'Selected clients' });
  await expectPage(async () => {
    const [message, below] = [await toast.boundingBox(), await bar.boundingBox()];
    expect(message && below && message.y + message.height <= below.y, 'it covers no button').toBe(true);
  }).toPass();
  await toast.getByRole('button', { name: 'Close' }).click();
  await expectPage(toast).toHaveCount(0);
});

test('a wrong filter in an address is left out, and a page that does not exist keeps the navigation', async () => {
  const page = await signedIn(await openFirm({ clients: 3 }));
  await page.goto('/sandbox/clients?status=bogus&type=x&from=yesterday');
  await expectPage(page.getByText('3 clients')).toBeVisible();
  const leftOut = page.getByText(
    'Some filters in the address were not understood and left out: status=bogus, type=x, from=yesterday',
  );
  await expectPage(leftOut).toBeVisible();
  await page.getByRole('link', { name: /^Pending/ }).click();
  await expectPage(leftOut).toHaveCount(0);
  await page.goto('/sandbox/nowhere');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expectPage(page.getByRole('link', { name: 'go to the overview' })).toHaveCSS(
    'text-decoration-line',
    'underline',
  );
  await page.getByRole('link', { name: 'Groups' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible();
  await page.goto('/nowhere');
  await expectPage(page.getByText('There is no page at this address.')).toBeVisible();
});

test('a viewer is not told to import', async () => {
  const viewer = await joinAsViewer(await openFirm());
  await viewer.goto('/sandbox/overview');
  await expectPage(viewer.getByText('Owners and admins can import clients from a file.')).toBeVisible();
  await viewer.goto('/sandbox/clients');
  await expectPage(viewer.getByText('Owners and admins can add or import them.')).toBeVisible();
});

test('a first sign-in leads to the environment that has clients', async () => {
  const firm = await openFirm({ clients: 3 });
  const page = await visitor(firm.service.dashboard);
  await page.goto('/');
  await signIn(page, firm.owner);
  await page.waitForURL('**/sandbox/overview');
  const empty = await openFirm();
  const other = await visitor(empty.service.dashboard);
  await other.goto('/');
  await signIn(other, empty.owner);
  await other.waitForURL('**/production/overview');
});

test('a link for the set-up that was used says so instead of showing a form', async () => {
  const service = await (await openProgram()).serve();
  const page = await visitor(service.dashboard);
  await page.goto('/set-up');
  await expectPage(page.getByText('Look where rollcall serve was started')).toBeVisible();
  const { dashboard } = (await openFirm()).service;
  const late = await visitor(dashboard);
  await late.goto('/set-up#used');
  await expectPage(late.getByRole('heading', { level: 1, name: 'Rollcall is set up' })).toBeVisible();
  await late.getByRole('link', { name: 'Go to sign-in' }).click();
  await expectPage(late.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
});

test('tabs show how many clients each status has, and the list can begin with the oldest', async () => {
  const page = await signedIn(await openFirm({ clients: 40 }));
  await page.goto('/sandbox/clients');
  const tabs = page.getByRole('navigation', { name: 'Request status' });
  await expectPage(tabs.getByRole('link', { name: 'All 40' })).toHaveAttribute('aria-current', 'page');
  const names = await tabs.getByRole('link').allInnerTexts();
  const counts = names.map((name) => Number(/\d+/.exec(name)?.[0]));
  expect(counts.slice(1).reduce((sum, count) => sum + count, 0)).toBe(40);
  await tabs.getByRole('link', { name: /^Pending/ }).click();
  await expectPage(tabs.locator('[aria-current]')).toHaveText(/^Pending/);
  await expectPage(page.getByRole('status').filter({ hasText: 'client' })).toHaveText(
    new RegExp(`^${counts[names.findIndex((name) => name.startsWith('Pending'))]} clients?$`),
  );
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Company' }).click();
  await expectPage(tabs.getByRole('link', { name: 'All 40' })).toHaveCount(0);

  await page.goto('/sandbox/clients?size=50');
  await expectPage(page.locator('.row-link')).toHaveCount(40);
  const newest = await page.locator('.row-link').allInnerTexts();
  await page.getByRole('combobox', { name: 'Order' }).click();
  await page.getByRole('option', { name: 'Oldest first' }).click();
  await expectPage(page.locator('.row-link')).toHaveText(newest.toReversed());
});

test('the first steps are ticked off as they are done, and then disappear', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  await page.goto('/sandbox/overview');
  const steps = page.getByRole('listitem');
  const marks = () => page.locator('ol [aria-label]').evaluateAll((icons) => icons.map((icon) => icon.ariaLabel));
  await expectPage(page.getByText('First steps in the sandbox')).toBeVisible();
  expect(await marks(), 'every firm of these tests has a key').toEqual(['To do', 'Done', 'To do']);
  await page.getByRole('button', { name: 'Add sample clients' }).click();
  await expectPage(page.getByText('250 sample clients added.')).toBeVisible();
  await expectPage(steps.first().getByLabel('Done')).toBeVisible();
  expect(await marks()).toEqual(['Done', 'Done', 'To do']);
  await expectPage(page.getByRole('heading', { level: 1 })).toBeFocused();

  const where = ['--account', firm.owner, '--environment', 'sandbox', '--name', 'first'];
  const { api_key: secret } = await firm.program.json<{ api_key: string }>(['key', 'create', ...where]);
  const { data } = await exchange(firm.service.sandbox, secret);
  await list(firm.service.sandbox, data.access_token);
  // The service stores the calls every few seconds. Opening the page until it has takes much longer than asking.
  const overview = async () => (await page.request.get('/console/sandbox/overview')).json();
  await expect.poll(async () => (await overview()).data.has_calls, { interval: 250 }).toBe(true);
  await page.reload();
  await expectPage(page.getByRole('heading', { name: 'New clients' })).toBeVisible();
  await expectPage(page.getByText('First steps in the sandbox')).toHaveCount(0);
  await page.goto('/production/overview');
  await expectPage(page.getByText('First steps in production')).toBeVisible();
  expect(await marks()).toEqual(['To do', 'To do', 'To do']);
  await expectPage(page.getByRole('button', { name: 'Add sample clients' })).toHaveCount(0);
});
