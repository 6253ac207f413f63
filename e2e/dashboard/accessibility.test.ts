import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { expectPage, visitor } from '../browser.ts';
import { joinAsViewer, openFirm, signedIn, useDashboard } from './firm.ts';
import { problemsOn } from './problems.ts';

useDashboard();

const PAGES = [
  'sandbox/overview',
  'production/overview',
  'sandbox/clients?status=completed',
  'sandbox/review',
  'sandbox/groups',
  'sandbox/import',
  'sandbox/settings/api-credentials',
  'sandbox/settings/members',
  'sandbox/settings/activity',
  'sandbox/settings/profile',
  'sandbox/help',
  'sandbox/help/groups',
];

/** The pages, and the page of the key that every firm has. */
async function allPages(page: Page): Promise<string[]> {
  await page.goto('/sandbox/settings/api-credentials');
  const link = await page.getByRole('link', { name: 'test', exact: true }).getAttribute('href');
  return [...PAGES, link?.slice(1) ?? ''];
}

/** Runs in the page and lists every element with an animation or a transition. */
const MOVING = `[...document.querySelectorAll('*')].flatMap((element) =>
  ['', '::before', '::after'].flatMap((part) => {
    const { transitionDuration, transitionDelay, animationName, animationDuration } = getComputedStyle(element, part);
    const times = [transitionDuration, transitionDelay, animationName === 'none' ? '' : animationDuration].join(',');
    return /[1-9]/.test(times) ? [element.className + part + ' ' + times] : [];
  }),
)`;

/** Runs in the page and lists every table that is wider than the part of it that is shown. */
const CUT_OFF = `[...document.querySelectorAll('table')]
  .filter((table) => table.getBoundingClientRect().right > innerWidth)
  .map((table) => table.innerText)`;

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 720 };

/** Opens the page on a phone, and shows it on a desk afterwards. */
async function openOnPhone(page: Page, path: string): Promise<void> {
  await page.setViewportSize(PHONE);
  await page.goto(`/${path}`);
  await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Perhaps it is still loading, and then nothing moves either.
  expect(await page.evaluate(MOVING), path).toEqual([]);
  await expectPage(page.locator('[aria-busy=true]')).toHaveCount(0);
  expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(PHONE.width);
  expect(await page.evaluate(CUT_OFF), path).toEqual([]);
  await page.setViewportSize(DESK);
}

// All that holds for every page is looked at in one visit, because opening a page takes most of the time.
test('on any page axe finds nothing serious in either theme, a phone needs no horizontal scrolling, and nothing moves for visitors who prefer reduced motion', {
  timeout: 600_000,
}, async () => {
  const firm = await openFirm({ clients: 15 });
  const problems: string[] = [];
  const look = async (page: Page) => {
    await expectPage(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectPage(page.locator('[aria-busy=true]')).toHaveCount(0);
    problems.push(...(await problemsOn(page)));
  };

  const stranger = await visitor(firm.service.dashboard);
  for (const path of ['sign-in', 'set-up#token', 'reset#token', 'nowhere']) {
    await stranger.goto(`/${path}`);
    await look(stranger);
  }
  await stranger.goto('/sign-in');
  await stranger.getByLabel('Email').fill('nobody@firm.example');
  await stranger.getByLabel('Password', { exact: true }).fill('wrong');
  await stranger.getByRole('button', { name: 'Sign in' }).click();
  await expectPage(stranger.getByRole('alert')).toBeVisible();
  await look(stranger);

  const page = await signedIn(firm);
  for (const path of await allPages(page)) {
    await openOnPhone(page, path);
    await look(page);
    expect(await page.evaluate(MOVING), path).toEqual([]);
  }
  for (const action of ['Edit', 'Roll…', 'Revoke…']) {
    await page.getByRole('button', { name: action }).click();
    await expectPage(page.getByRole('dialog')).toBeVisible();
    await look(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expectPage(page.getByRole('dialog')).toHaveCount(0);
  }
  await page.goto('/sandbox/clients');
  await page.locator('.row-link').first().click();
  await look(page);
  await page.goto('/sandbox/settings/api-credentials');
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await expectPage(page.getByRole('dialog')).toBeVisible();
  expect(await page.evaluate(MOVING)).toEqual([]);
  await page.getByText('More options').click();
  await look(page);
  await page.getByLabel('Name').fill('Billing');
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  await expectPage(page.getByRole('button', { name: 'I have copied it' })).toBeVisible();
  await look(page);
  expect(problems).toEqual([]);
});

/** What opens every menu and dialog that only asks or explains: the names of what is clicked one after the other. */
const DIALOGS: Record<string, string[][]> = {
  'clients?status=pending': [
    ['Add client'],
    ['Columns and density'],
    ['Views'],
    ['Views', 'Save these filters as a view…'],
    ['Keyboard shortcuts'],
  ],
  groups: [
    ['Create group'],
    ['Manage Small business'],
    ['Manage Small business', 'Rename…'],
    ['Manage Small business', 'Merge into…'],
    ['Delete 2 empty groups…'],
  ],
  'settings/members': [
    ['Invite member'],
    ['Manage viewer@firm.example'],
    ['Manage viewer@firm.example', 'Change role to Owner…'],
    ['Manage viewer@firm.example', 'Where they are signed in…'],
    ['Manage viewer@firm.example', 'Remove member…'],
  ],
  'settings/profile': [['Add passkey']],
};

test('axe finds nothing serious in menus, dialogs and toasts', { timeout: 600_000 }, async () => {
  const firm = await openFirm({ clients: 15 });
  await joinAsViewer(firm);
  const page = await signedIn(firm);
  for (const group_name of ['Empty', 'Emptier']) {
    const headers = { origin: firm.service.dashboard };
    await page.request.post('/console/sandbox/groups', { headers, data: { group_name } });
  }
  const openAndLook = async (names: string[]) => {
    for (const name of names) {
      await page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('menuitem', { name, exact: true }))
        .click();
    }
    const opened = page.locator('[role=dialog], [role=menu]').filter({ visible: true });
    await expectPage(opened.first()).toBeVisible();
    expect(await problemsOn(page, '[role=dialog], [role=menu]'), names.join(' → ')).toEqual([]);
    // The first Escape may close a list in the dialog.
    await expectPage(async () => {
      await page.keyboard.press('Escape');
      await expectPage(opened).toHaveCount(0, { timeout: 1000 });
    }).toPass();
  };
  for (const [path, all] of Object.entries(DIALOGS)) {
    await page.goto(`/sandbox/${path}`);
    await expectPage(page.locator('[aria-busy=true]')).toHaveCount(0);
    for (const names of all) await openAndLook(names);
  }

  await page.goto('/sandbox/clients');
  await page.locator('.row-link').first().click();
  for (const name of ['Edit', 'Erase client…']) await openAndLook([name]);
  await page.goto('/sandbox/clients?status=pending');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save these filters as a view…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Waiting');
  await page.getByRole('button', { name: 'Save view' }).click();
  await expectPage(page.getByRole('alert')).toContainText('Waiting');
  // While it is pointed at, it stays.
  await page.getByRole('alert').hover();
  expect(await problemsOn(page, '[role=alert]')).toEqual([]);
});

test('everything can be reached by keyboard', async () => {
  const page = await signedIn(await openFirm({ clients: 10 }));
  await page.goto('/sandbox/overview');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  // The second key has to follow the first within a short time, which a busy machine may need several attempts for.
  await expectPage(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    expect(new URL(page.url()).pathname).toBe('/sandbox/settings/api-credentials');
  }).toPass();
  await page.keyboard.press('/');
  await expectPage(page.getByLabel('Search by words of the name, email or IDs')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.locator('h1').click();
  await page.keyboard.press('Shift+?');
  await expectPage(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Find a page').fill('Groups');
  await expectPage(page.getByText('Search clients for “Groups”')).toBeVisible();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/groups');
});
