import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { exchange } from '../api.ts';
import { expectPage, visitor } from '../browser.ts';
import { createTestAccount, OWNER } from '../test-account.ts';
import { joinAsViewer, openFirm, openProgram, signedIn, signIn, useDashboard } from './firm.ts';
import { problemsOn } from './problems.ts';

useDashboard();

const GO_TO = 'Find a page, a client or an action';
const CSV_HEADER = 'email,client_name,client_type,group_name,request_status';

/** The palette is loaded after the page. */
async function openPalette(page: Page): Promise<Locator> {
  await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expectPage(page.getByRole('combobox', { name: GO_TO })).toBeFocused();
  return page.getByRole('dialog', { name: 'Go to' });
}

test('the font, the help and the API reference come from the installation, and nothing from elsewhere', async () => {
  const firm = await openFirm({ clients: 3 });
  const page = await signedIn(firm);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const font = page.waitForResponse(/\/assets\/inter-latin-wght-normal.*\.woff2$/);
  await page.goto('/sandbox/overview');
  const { status, type, caching } = await font.then(async (response) => {
    const { 'content-type': type, 'cache-control': caching } = await response.allHeaders();
    return { status: response.status(), type, caching };
  });
  expect([status, type, caching]).toEqual([200, 'font/woff2', 'public, max-age=31536000, immutable']);
  await expectPage(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  expect(await page.evaluate("document.fonts.ready.then(() => document.fonts.check('600 16px Inter'))")).toBe(true);

  const help = page.getByRole('navigation', { name: 'Help' });
  const reference = await help.getByRole('link', { name: 'API reference' }).getAttribute('href');
  expect(reference).toBe(`${firm.service.sandbox}/docs`);
  expect((await page.request.get(reference ?? '')).status()).toBe(200);
  await help.getByRole('link', { name: 'Help' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
  const guides = page.locator('main a[href*="/help/"]');
  const addresses = await guides.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(addresses.length).toBeGreaterThan(10);
  for (const address of addresses) {
    await page.locator(`main a[href="${address}"]`).click();
    await expectPage(page.locator('.guide p').first()).toBeVisible();
    await page.getByRole('link', { name: '← Help' }).click();
  }
  await page.locator('main').getByRole('link', { name: 'Statuses and types of clients' }).click();
  await expectPage(page.locator('.guide th')).toHaveText(['Status', 'Meaning', 'May become']);
  await expectPage(page.locator('.guide'), 'the diagram is not shown').not.toContainText('arrow');
  await page.getByRole('link', { name: '← Help' }).click();
  await page.locator('main').getByRole('link', { name: 'API keys', exact: true }).click();
  await page.locator('.guide a[data-topic=activity]').first().click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'The activity log' })).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
  await page.goto('/sandbox/help/nothing');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  const origins = new Set(asked.map((address) => new URL(address).origin));
  expect([...origins]).toEqual([firm.service.dashboard]);
});

test('an installation without an account says where its set-up link is, and goes on when there is an account', async () => {
  const program = await openProgram();
  const service = await program.serve();
  const page = await visitor(service.dashboard);
  await page.goto('/sign-in');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Set up Rollcall' })).toBeVisible();
  await expectPage(page.getByText('Look where rollcall serve was started')).toContainText(
    `${service.dashboard}/set-up#`,
  );
  await expectPage(page.getByLabel('Password', { exact: true })).toHaveCount(0);
  await page.getByText('The link is lost or does not work any more').click();
  await expectPage(page.getByText('it prints a new link whenever it starts')).toBeVisible();
  await expectPage(page.locator('pre')).toContainText('rollcall account create --name');
  expect(await problemsOn(page)).toEqual([]);
  await createTestAccount(program);
  await expectPage(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await expectPage(page.getByText('rollcall serve')).toHaveCount(0);
  await signIn(page, OWNER);
});

/** The share of the track that a bar takes, and the percentage that stands beside it. */
async function sharesIn(section: Locator): Promise<[width: number, percent: number][]> {
  return section.locator('.bar-list li').evaluateAll((items) =>
    items.map((item) => {
      const widthOf = (selector: string) => item.querySelector(selector)?.getBoundingClientRect().width ?? 0;
      const percent = Number(/([\d.]+)%/.exec(item.textContent ?? '')?.[1]);
      return [(100 * widthOf('.bar-track i')) / widthOf('.bar-track'), percent] as [number, number];
    }),
  );
}

test('the overview compares, adds up to the whole, and tells errors and limits of the API', {
  timeout: 300_000,
}, async () => {
  const firm = await openFirm({ clients: 60, groups: 8 });
  const where = ['--account', firm.owner, '--environment', 'sandbox'];
  const key = ['key', 'create', ...where, '--name', 'Limited', '--limit', '1/m,3'];
  const { api_key: secret } = await firm.program.json<{ api_key: string }>(key);
  const { data } = await exchange(firm.service.sandbox, secret);
  const call = async (query: string) =>
    (
      await fetch(`${firm.service.sandbox}/api/v1/clients-list/${query}`, {
        headers: { authorization: `Bearer ${data.access_token}` },
      })
    ).status;
  expect([await call(''), await call('?page_no=0'), await call(''), await call('')]).toEqual([200, 400, 200, 429]);

  const page = await signedIn(firm);
  const section = (name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) });
  const calls = section('API calls');
  // The service stores the calls every few seconds.
  await expectPage(async () => {
    await page.goto('/sandbox/overview');
    await expectPage(calls.getByText('Over the limit: 1 (')).toBeVisible({ timeout: 3000 });
  }).toPass();
  await expectPage(calls.getByText('Answered with an error: 1 (')).toBeVisible();
  await expectPage(calls.getByRole('status')).toContainText('none in the 7 days before');
  await calls.locator('.columns > *').last().hover();
  await expectPage(calls.getByText('1 over the limit', { exact: false }).last()).toBeVisible();
  await calls.getByText('Show as a table').click();
  await expectPage(calls.getByRole('row').nth(1)).toContainText(/\d+\s*1\s*1$/);
  await expectPage(page.getByRole('link', { name: /^API calls today/ })).toContainText(/[1-9]/);
  const [reviews, below] = [await section('Reviews').boundingBox(), await calls.boundingBox()];
  expect((below?.y ?? 0) - (reviews?.y ?? 0) - (reviews?.height ?? 0), 'the gap between cards').toBeGreaterThan(8);

  for (const name of ['By request status', 'Largest groups', 'By type']) {
    const shares = await sharesIn(section(name));
    for (const [width, percent] of shares) expect(Math.abs(width - percent), name).toBeLessThan(1);
    expect(Math.abs(shares.reduce((sum, [width]) => sum + width, 0) - 100), name).toBeLessThan(1);
  }
  await expectPage(section('Largest groups').getByRole('link', { name: /^3 other groups/ })).toBeVisible();
  await expectPage(
    section('By request status').getByText(/^Of \d+ decided clients, \d+% were completed\.$/),
  ).toBeVisible();

  const added = section('New clients');
  await added.getByText('52 weeks', { exact: true }).click();
  await expectPage(added.getByRole('status')).toHaveText(/^\d+ new clients, .* in the 52 weeks before/);
  const column = added
    .locator('.columns a')
    .filter({ has: page.locator('i') })
    .last();
  await column.hover();
  await expectPage(column.locator('.chart-tooltip')).toBeVisible();
  await expectPage(column.locator('.chart-tooltip')).toHaveText((await column.getAttribute('aria-label')) ?? '');
  await added.getByText('Show as a table').click();
  await expectPage(added.getByRole('row')).toHaveCount(53);

  const largest = await section('Largest groups').locator('.bar-text > span').first().innerText();
  const long = 'Vermögensverwaltungsgesellschaft für Zürich und Umgebung, Abteilung Firmenkunden';
  await firm.program.json(['group', 'rename', largest, long, ...where]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expectPage(section('Largest groups').getByText(long)).toBeVisible();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  for (const edge of ['first', 'last'] as const) {
    const tooltip = added.locator('.columns a')[edge]();
    await tooltip.hover();
    const box = await tooltip.locator('.chart-tooltip').boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 390, `the tooltip of the ${edge} column`).toBe(true);
  }
  expect(await problemsOn(page)).toEqual([]);
});

test('groups are in the order in which people count, can be sorted, and empty ones are deleted together', async () => {
  const firm = await openFirm();
  const where = ['--account', firm.owner, '--environment', 'production'];
  const rows = ['a,Team 10', 'b,Team 10', 'c,Team 2'].map((row) => {
    const [name, group] = row.split(',');
    return `${name}@mail.example,${name},company,${group},pending`;
  });
  await firm.program.json(['import', '-', ...where, '--format', 'csv'], [CSV_HEADER, ...rows, ''].join('\n'));
  await firm.program.json(['group', 'create', 'Team 1', ...where]);
  const page = await signedIn(firm);
  await page.goto('/production/groups');
  const names = page.locator('tbody td:first-child');
  await expectPage(names).toHaveText(['Team 1', 'Team 2', 'Team 10']);
  await page.getByRole('combobox', { name: 'Order' }).click();
  await page.getByRole('option', { name: 'Most clients first' }).click();
  await expectPage(names).toHaveText(['Team 10', 'Team 2', 'Team 1']);
  await page.reload();
  await expectPage(names).toHaveText(['Team 10', 'Team 2', 'Team 1']);
  await page.getByRole('combobox', { name: 'Order' }).click();
  await page.getByRole('option', { name: 'Newest first' }).click();
  await expectPage(names.first()).toHaveText('Team 1');
  await page.getByLabel('Search groups by name').fill('team 1');
  await expectPage(names).toHaveText(['Team 1', 'Team 10']);
  await expectPage(page).toHaveURL(/order=newest/);
  await expectPage(page.getByRole('button', { name: /empty groups/ }), 'one is deleted in its row').toHaveCount(0);

  await firm.program.json(['group', 'create', 'Team 0', ...where]);
  await page.goto('/production/groups');
  await page.getByRole('button', { name: 'Delete 2 empty groups…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete all empty groups?' });
  await expectPage(dialog).toContainText('“Team 0” and “Team 1” have no clients.');
  // One of them gets a client, and the other is deleted, before it is confirmed.
  await firm.program.json(['client', 'add', '--email', 'd@mail.example', '--name', 'D', '--group', 'Team 1', ...where]);
  await firm.program.json(['group', 'delete', 'Team 0', ...where]);
  await dialog.getByRole('button', { name: 'Delete 2 groups' }).click();
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  await expectPage(names).toHaveText(['Team 1', 'Team 2', 'Team 10']);
  await page.goto('/production/clients');
  await page.getByRole('combobox', { name: 'Group', exact: true }).click();
  await expectPage(page.getByRole('option')).toHaveText(['Team 1', 'Team 2', 'Team 10']);
});

test('the palette finds clients, groups, views, API keys and pages, the best match first, and runs actions', async () => {
  const firm = await openFirm();
  const where = ['--account', firm.owner, '--environment', 'sandbox'];
  const rows = Array.from({ length: 7 }, (_, n) => `ada${n}@mail.example,Ada Lake ${n},company,Lakeside,pending`);
  const exact = 'lake@mail.example,Lake,company,Hills,pending';
  await firm.program.json(['import', '-', ...where, '--format', 'csv'], [CSV_HEADER, exact, ...rows, ''].join('\n'));
  await firm.program.json(['key', 'create', ...where, '--name', 'Lakefront sync']);
  const page = await signedIn(firm);
  const view = { name: 'Hills to call', filters: { search: 'lake', statuses: ['pending'] }, is_shared: true };
  await page.request.post('/console/sandbox/views', { headers: { origin: firm.service.dashboard }, data: view });
  await page.goto('/sandbox/groups');
  const palette = await openPalette(page);
  const options = palette.getByRole('option');
  const field = palette.getByRole('combobox');
  expect(await problemsOn(page)).toEqual([]);

  const asked: URLSearchParams[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/sandbox/clients')) asked.push(searchParams);
  });
  await field.pressSequentially('lake');
  await expectPage(options.filter({ hasText: 'Client,' })).toHaveCount(5);
  await expectPage(options.first()).toHaveText(/^Lake ?Client, lake@mail\.example$/);
  await expectPage(options.first()).toHaveAttribute('aria-selected', 'true');
  await expectPage(options.nth(1)).toContainText(/Lakeside|Lakefront sync/);
  await expectPage(options.last()).toHaveText('Search clients for “lake”');
  expect(asked.at(-1)?.get('page_limit')).toBe('50');
  expect(await problemsOn(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Lake' })).toBeVisible();
  await expectPage(page.getByRole('link', { name: '← Groups' })).toHaveAttribute('href', '/sandbox/groups');

  for (const [typed, found, heading] of [
    ['lakef', 'Lakefront sync', 'Lakefront sync'],
    ['act', 'Activity', 'Activity'],
    ['csv', 'Import clients', 'Import clients'],
  ] as const) {
    await openPalette(page);
    await field.fill(typed);
    await expectPage(options.first()).toContainText(found);
    await page.keyboard.press('Enter');
    await expectPage(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  }
  await openPalette(page);
  await field.fill('lakeside');
  await expectPage(options.first()).toContainText('Group');
  await page.keyboard.press('Enter');
  await expectPage(page.getByText('Group: Lakeside')).toBeVisible();
  await openPalette(page);
  await field.fill('to call');
  await expectPage(options.first()).toHaveText(/^Hills to call ?Shared view$/);
  await page.keyboard.press('Enter');
  await expectPage(page.getByRole('button', { name: 'Views: Hills to call' })).toBeVisible();
  await page.getByRole('link', { name: 'Groups', exact: true }).click();
  await openPalette(page);
  await field.fill('export');
  await page.keyboard.press('Enter');
  await expectPage(page.getByRole('button', { name: 'Export CSV' }), 'of the list as it was left').toBeFocused();
  await expectPage(page.getByRole('button', { name: 'Views: Hills to call' })).toBeVisible();

  for (const [action, dialog] of [
    ['Create API key', 'Create API key'],
    ['Invite member', 'Invite member'],
    ['Add client', 'Add client'],
  ] as const) {
    await openPalette(page);
    await field.fill(action);
    await page.keyboard.press('Enter');
    await expectPage(page.getByRole('dialog', { name: dialog })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expectPage(field, 'a dialog may show what is shown only once').toHaveCount(0);
    if (action !== 'Add client') await page.getByRole('button', { name: 'Cancel' }).click();
  }
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Bo');
  await form.getByLabel('Email').fill('bo@mail.example');
  await form.getByLabel('Group').fill('Hills');
  await form.getByRole('button', { name: 'Add client' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Bo' })).toBeVisible();
  await expectPage(page.getByRole('dialog')).toHaveCount(0);

  await openPalette(page);
  await field.fill('dark');
  await page.keyboard.press('Enter');
  await expectPage(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.goto('/sandbox/groups?search=hil');
  await openPalette(page);
  await field.fill('switch to prod');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/production/groups?*search=hil*');
  await openPalette(page);
  await field.fill('sign out');
  await page.keyboard.press('Enter');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
});

test('the palette cancels older searches and goes on without the service; a viewer is offered no changes', async () => {
  const firm = await openFirm({ clients: 20 });
  const page = await signedIn(firm);
  await page.goto('/sandbox/overview');
  const palette = await openPalette(page);
  const field = palette.getByRole('combobox');
  const cancelled: (string | null)[] = [];
  page.on('requestfailed', (request) => cancelled.push(new URL(request.url()).searchParams.get('search')));
  const { promise: typed, resolve: allTyped } = Promise.withResolvers<void>();
  const asked: (string | null)[] = [];
  await page.route('**/console/sandbox/clients?*', async (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('search'));
    await typed;
    await route.continue().catch(() => {});
  });
  await field.fill('mai');
  await expect.poll(() => asked).toEqual(['mai']);
  await field.fill('mail');
  await expect.poll(() => asked).toEqual(['mai', 'mail']);
  await expect.poll(() => cancelled).toEqual(['mai']);
  allTyped();
  await expectPage(palette.getByRole('option').filter({ hasText: 'Client,' })).toHaveCount(5);

  await page.unroute('**/console/sandbox/clients?*');
  await page.route('**/console/**', (route) => route.abort('connectionrefused'));
  await field.fill('gro');
  await expectPage(palette.getByText('Some results may be missing. Rollcall cannot be reached.')).toBeVisible();
  await expectPage(palette.getByRole('option').first()).toHaveText(/^Groups/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/groups');
  await page.unroute('**/console/**');

  const late = await signedIn(firm);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  await late.route('**/assets/palette-list*', (route) => opened.then(() => route.continue()));
  await late.goto('/sandbox/overview');
  await expectPage(late.getByRole('heading', { level: 1 })).toBeVisible();
  await late.keyboard.press('Control+k');
  await late.keyboard.type('gro');
  await expectPage(late.getByRole('textbox', { name: GO_TO })).toHaveValue('gro');
  open();
  await expectPage(late.getByRole('combobox', { name: GO_TO })).toBeFocused();
  await late.keyboard.type('ups');
  await expectPage(late.getByRole('combobox', { name: GO_TO }), 'no letter was lost').toHaveValue('groups');

  await late.route('**/assets/palette-list*', (route) => route.abort('connectionrefused'));
  await late.goto('/sandbox/overview');
  await expectPage(late.getByRole('heading', { level: 1 })).toBeVisible();
  await late.keyboard.press('Control+k');
  await late.getByRole('alert').filter({ hasText: 'Rollcall cannot be reached' }).hover();
  expect(await problemsOn(late)).toEqual([]);

  const viewer = await joinAsViewer(firm);
  await viewer.goto('/sandbox/overview');
  const offered = await openPalette(viewer);
  await expectPage(offered.getByRole('option', { name: 'Sign out' })).toBeVisible();
  for (const name of ['Add client', 'Export clients…', 'Import clients', 'Create API key', 'Invite member']) {
    await expectPage(offered.getByRole('option', { name })).toHaveCount(0);
  }
  await viewer.keyboard.press('Escape');
  // Until it is gone, a key is typed into its field.
  await expectPage(offered).toBeHidden();
  await viewer.keyboard.press('?');
  const help = viewer.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expectPage(help.getByText('Open the client')).toBeVisible();
  await expectPage(help.getByText('checkbox'), 'viewers have none').toHaveCount(0);
});

test('the keyboard help is true: every shortcut that it lists does what it says', async () => {
  const page = await signedIn(await openFirm({ clients: 3 }));
  await page.goto('/sandbox/overview');
  await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expectPage(help).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
  const listed = await help.getByRole('listitem').evaluateAll((items) =>
    items.map((item) => ({
      keys: item.querySelector('.keys')?.textContent ?? '',
      text: item.querySelector('p')?.textContent ?? '',
    })),
  );
  const pages = listed.filter(({ keys }) => keys.startsWith('g then '));
  expect(pages.length).toBeGreaterThanOrEqual(8);
  expect(listed.filter((each) => !pages.includes(each)).map(({ keys }) => keys)).toEqual([
    ...['Ctrl/⌘ + K', '/', '?', 'u', 'Esc'],
    // These are tried by the tests of the review and of the list, as are the keys of these pages below.
    ...['Enter', 'Ctrl/⌘ + Enter'],
    ...['↑ or ↓', 'Enter', '↓ or Enter', 'Esc'],
    ...['j', 'k', 'Enter', 'x', 's', 'Esc', 'Shift + Space', 'j', 'k', 'c', 'd'],
    ...['j or ↓', 'k or ↑', 'Enter', 'c', 'd', 'a', 'x', 'Esc'],
  ]);
  await page.keyboard.press('Escape');
  await expectPage(help).toHaveCount(0);
  for (const { keys, text } of pages) {
    // The second key has to follow the first within a short time, which a busy machine may need several attempts for.
    await expectPage(async () => {
      for (const key of keys.split(' then ')) await page.keyboard.press(key);
      await expectPage(page.getByRole('heading', { level: 1, name: text })).toBeVisible({ timeout: 3000 });
    }).toPass();
  }
  const field = page.getByLabel('Search by words of the name, email or IDs');
  const first = page.locator('.row-link').first();
  for (const key of ['ArrowDown', 'Enter']) {
    await page.keyboard.press('/');
    await expectPage(field).toBeFocused();
    await page.keyboard.type('mail');
    await page.keyboard.press(key);
    await expectPage(first).toBeFocused();
    expect(new URL(page.url()).search, 'the list of what was typed').toContain('search=mail');
    await page.keyboard.press('/');
    await expectPage(field).toBeFocused();
    await page.keyboard.press('Escape');
    await expectPage(field).toHaveValue('');
    await page.keyboard.press('Escape');
    await expectPage(field).not.toBeFocused();
  }
  await page.keyboard.press('/');
  await expectPage(field).toBeFocused();
  await expectPage(field).toHaveValue('');
  await page.keyboard.press('Control+k');
  await expectPage(page.getByRole('combobox', { name: GO_TO })).toBeFocused();
  await page.keyboard.press('Escape');
  await expectPage(field).toBeFocused();

  // Nobody types on a radio button, so the shortcuts work there, too.
  const radio = page.getByRole('radio', { name: 'Production' });
  await page.getByText('Production', { exact: true }).click();
  await expectPage(radio).toBeFocused();
  await page.keyboard.press('?');
  await expectPage(help).toBeVisible();
  await page.keyboard.press('Escape');
  await expectPage(help).toHaveCount(0);
  await expectPage(radio).toBeFocused();
  await page.keyboard.press('/');
  await expectPage(field).toBeFocused();

  for (const [address, where] of [
    ['/sandbox/review', 'On the Review page'],
    ['/sandbox/clients', 'In the list of clients'],
  ] as const) {
    await page.goto(address);
    await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('?');
    await expectPage(help.getByRole('heading', { level: 3 }).first()).toHaveText(where);
    await page.keyboard.press('Escape');
  }

  // Esc closes the menu, and nothing below it.
  await page.setViewportSize({ width: 820, height: 900 });
  await page.getByLabel('Select all on this page').check();
  const menu = page.getByRole('button', { name: 'Open menu' });
  await expectPage(menu).toHaveAttribute('aria-expanded', 'false');
  await menu.click();
  const entry = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Groups' });
  await expectPage(page.getByRole('button', { name: 'Close menu' })).toHaveAttribute('aria-expanded', 'true');
  await expectPage(entry).toBeInViewport();
  await entry.focus();
  await page.keyboard.press('Escape');
  await expectPage(entry, 'Tab does not lead there').toBeHidden();
  await expectPage(menu).toBeFocused();
  await expectPage(page.getByText('3 selected')).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
});

/** Runs in the page: every control that is printed, and what is cut off or beyond the right edge of the paper. */
const MISPRINTED = `[...document.querySelectorAll('main *')].filter((element) => {
  const { width, height, right } = element.getBoundingClientRect();
  if (width === 0 || height === 0) return false;
  const isCut = getComputedStyle(element).overflowX === 'hidden' && element.scrollWidth > element.clientWidth;
  return isCut || right > innerWidth + 1 || element.matches('button, input, [role=radiogroup], .mantine-Button-root');
}).map((element) => element.outerHTML.slice(0, 120))`;

/** Runs in the page: how light the darkest background is that is printed, from 0 to 255. The dots of statuses are meant to be dark. */
const DARKEST = `Math.min(...[...document.querySelectorAll('main *')].flatMap((element) => {
  const [, red, green, blue, alpha = '1'] =
    /(\\d+), (\\d+), (\\d+)(?:, ([\\d.]+))?/.exec(getComputedStyle(element).backgroundColor) ?? [];
  const isDot = element.clientWidth < 20;
  return alpha === '0' || isDot ? [] : [Math.max(red, green, blue)];
}))`;

test('clients and the activity are printed dark on white, whole, and without controls', async () => {
  const firm = await openFirm();
  const where = ['--account', firm.owner, '--environment', 'sandbox'];
  const long = `${'x'.repeat(60)}@${'very-long-domain-'.repeat(3)}mail.example`;
  const row = `${long},${'Unbroken'.repeat(12)},company,${'Group'.repeat(20)},pending`;
  await firm.program.json(['import', '-', ...where, '--format', 'csv'], `${CSV_HEADER}\n${row}\n`);
  const page = await signedIn(firm, { colorScheme: 'dark', viewport: { width: 720, height: 1000 } });
  await page.goto('/sandbox/clients');
  await page.getByRole('button', { name: 'Columns and density' }).click();
  for (const name of ['Client status', 'External ID', 'Reference ID']) await page.getByLabel(name).last().check();
  await page.keyboard.press('Escape');
  await page.locator('.row input').check();
  const check = async () => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expectPage(page.getByRole('navigation')).toHaveCount(0);
    expect(await page.evaluate(MISPRINTED)).toEqual([]);
    const { violations } = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze();
    expect(violations.flatMap(({ nodes }) => nodes.map(({ target }) => String(target)))).toEqual([]);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate("getComputedStyle(document.querySelector('main h1')).color")).toBe('rgb(0, 0, 0)');
    expect(await page.evaluate("getComputedStyle(document.querySelector('main .surface')).backgroundColor")).toBe(
      'rgb(255, 255, 255)',
    );
    expect(await page.evaluate(DARKEST)).toBeGreaterThan(200);
    await page.emulateMedia({ media: 'screen' });
  };
  await check();
  await page.emulateMedia({ media: 'print' });
  await expectPage(page.getByRole('columnheader')).toHaveText([
    'Client',
    'Request status',
    'Type',
    'Client status',
    'Group',
    'Added',
    'External ID',
    'Reference ID',
  ]);
  await page.emulateMedia({ media: 'screen' });
  await page.locator('.row-link').first().click();
  await expectPage(page.getByRole('heading', { level: 2, name: 'History' })).toBeVisible();
  await check();
  await page.emulateMedia({ media: 'print' });
  await expectPage(page.getByText('Nobody')).toBeVisible();
  await expectPage(page.getByRole('heading', { name: 'Erase' })).toHaveCount(0);
  await page.emulateMedia({ media: 'screen' });
  await expectPage(page.getByText(long).first()).toBeVisible();
  await page.goto('/sandbox/settings/activity?kind=client&from=2026-01-01');
  await expectPage(page.getByRole('row').nth(1)).toBeVisible();
  await check();
  await page.emulateMedia({ media: 'print' });
  const sizes =
    "[...new Set([...document.querySelectorAll('td, td *')].map((each) => getComputedStyle(each).fontSize))]";
  expect(await page.evaluate(sizes), 'one size in all cells').toEqual(['12px']);
  await expectPage(page.getByText(/^Only: Clients and imports, from 2026-01-01 \([\w/]+\)$/)).toBeVisible();
});

test('what is gone is said to be gone, and only what may come back is tried again', async () => {
  const page = await signedIn(await openFirm({ clients: 3 }));
  await page.goto('/sandbox/clients/1700000000000-999999999999');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Client not found' })).toBeVisible();
  await expectPage(page.getByText('It may have been removed, or it belongs to the other environment.')).toBeVisible();
  await expectPage(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  const answer = (status: number, message: string) =>
    page.route('**/console/sandbox/groups', (route) =>
      route.fulfill({ status, json: { status_code: status, message, data: null } }),
    );
  await answer(403, 'Forbidden: ask an owner.');
  await page.goto('/sandbox/groups');
  await expectPage(page.getByText('Forbidden: ask an owner.')).toBeVisible();
  await expectPage(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await answer(500, 'Internal error');
  await page.reload();
  await expectPage(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.unroute('**/console/sandbox/groups');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectPage(
    page.getByText('3 groups').or(page.getByText('2 groups')).or(page.getByText('1 group')),
  ).toBeVisible();

  const weightOf = async (selector: string) =>
    Number(await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).fontWeight`));
  expect(await weightOf('main th')).toBeLessThan(await weightOf('main h1'));
});
