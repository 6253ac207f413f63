import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { expectPage } from '../browser.ts';
import { joinAsViewer, openFirm, signedIn, useDashboard } from './firm.ts';

useDashboard();

const names = (page: Page) => page.locator('.row-link');
const total = (page: Page) => page.getByRole('status').filter({ hasText: 'client' });

async function choose(page: Page, filter: string, options: (string | RegExp)[]): Promise<void> {
  const field = page.getByRole('combobox', { name: filter, exact: true });
  await field.click();
  for (const name of options) await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
}

test('several statuses, several groups and days are combined, and stay in the address', async () => {
  const page = await signedIn(await openFirm({ clients: 60, groups: 3 }));
  await page.goto('/sandbox/clients?size=100');
  await expectPage(total(page)).toHaveText('60 clients');
  const tabs = page.getByRole('navigation', { name: 'Request status' });
  const countOf = async (status: string) => Number(/\d+/.exec(await tabs.getByText(status).innerText())?.[0]);
  const both = (await countOf('Pending')) + (await countOf('Declined'));
  const top = async () => (await page.locator('.clients-table').boundingBox())?.y;
  const before = await top();
  await choose(page, 'Request status', ['Pending', 'Declined']);
  await expectPage(tabs.locator('[aria-current]')).toHaveText([/^Pending/, /^Declined/]);
  expect(await top(), 'the first filter moves nothing').toBe(before);
  await expectPage(page).toHaveURL(/status=pending(,|%2C)declined/);
  await expectPage(total(page)).toHaveText(`${both} clients`);
  await expectPage(page.getByText('Request status: Pending, Declined')).toBeVisible();

  const groups = await page.locator('td.group_name').allInnerTexts();
  const [one = '', other = ''] = new Set(groups);
  // Names of groups are long, and the field is not.
  await page.getByRole('combobox', { name: 'Group', exact: true }).click();
  expect((await page.getByRole('listbox').boundingBox())?.width).toBeGreaterThanOrEqual(240);
  await page.keyboard.press('Escape');
  const [text, chevron] = [
    await page.getByRole('combobox', { name: 'Group', exact: true }).boundingBox(),
    await page.locator('.mantine-MultiSelect-section').last().boundingBox(),
  ];
  expect(text && chevron && text.x + text.width <= chevron.x, 'the text ends before the chevron').toBe(true);
  await choose(page, 'Group', [one, other]);
  const inGroups = groups.filter((group) => [one, other].includes(group)).length;
  await expectPage(total(page)).toHaveText(`${inGroups} clients`);
  await page.reload();
  await expectPage(total(page)).toHaveText(`${inGroups} clients`);
  await page.getByRole('button', { name: `Remove Group: ${one}` }).click();
  await expectPage(page.getByRole('group', { name: 'Filters in use' })).toBeFocused();
  await expectPage(names(page)).toHaveCount(groups.filter((group) => group === other).length);

  await page.getByRole('button', { name: 'Added at any time' }).click();
  await page.getByRole('button', { name: '365 days' }).click();
  await expectPage(page).toHaveURL(/days=365/);
  await page.getByRole('button', { name: 'Added in the last 365 days', exact: true }).click();
  await page.getByLabel('First day').fill('2020-01-01');
  await page.getByLabel('Last day').fill('2020-01-31');
  await expectPage(page.getByRole('button', { name: 'Remove Added Jan 1 – 31, 2020' })).toBeVisible();
  await expectPage(page).toHaveURL(/until=2020-02-01/);
  await expectPage(page.getByText('No clients found')).toBeVisible();
  await page.getByLabel('Last day').fill('2019-12-31');
  await page.waitForURL(/until=2020-01-01/);
  await page.getByRole('button', { name: 'Close' }).click();
  await expectPage(page.getByText('The last day you chose is before the first.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expectPage(page.getByRole('group', { name: 'Filters in use' })).toBeFocused();
  await expectPage(total(page)).toHaveText('60 clients');
});

test('filters are saved as a view, which can be shared, changed, renamed and deleted', async () => {
  const firm = await openFirm({ clients: 30 });
  const viewer = await joinAsViewer(firm);
  const page = await signedIn(firm);
  const listed = await page.request.get('/console/sandbox/clients?request_status=requested');
  const [{ group_name: group }] = (await listed.json()).data.results;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/console/sandbox/groups', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`/sandbox/clients?status=requested&order=oldest&group=${encodeURIComponent(group)}`);
  await expectPage(names(page).first()).toBeVisible();
  await page.getByRole('button', { name: 'Views' }).click();
  // As long as the group is not known, the view would be one of all groups.
  const save = page.getByRole('menuitem', { name: 'Save these filters as a view…' });
  await expectPage(save).toBeDisabled();
  release();
  await save.click();
  await page.getByRole('button', { name: 'Save view' }).click();
  await expectPage(page.getByText('Name must not be empty.')).toBeVisible();
  await page.getByRole('dialog').getByLabel('Name').fill('Waiting');
  await page.getByLabel('Share it with all members').check();
  await page.getByRole('button', { name: 'Save view' }).click();
  await expectPage(page.getByRole('alert')).toHaveText('The view “Waiting” was saved.');
  await expectPage(page.getByRole('button', { name: 'Views: Waiting' })).toBeFocused();

  await viewer.goto('/sandbox/clients');
  await viewer.getByRole('button', { name: 'Views' }).click();
  await viewer.getByRole('menuitem', { name: 'Waiting Shared' }).click();
  await expectPage(viewer).toHaveURL(/status=requested/);
  await expectPage(names(viewer)).toHaveText(await names(page).allInnerTexts());
  await viewer.getByRole('button', { name: 'Views: Waiting' }).click();
  await expectPage(viewer.getByRole('menuitem', { name: 'Waiting Shared' })).toBeVisible();
  await expectPage(viewer.getByRole('menuitem', { name: /^(Change|Rename|Delete|Share)/ })).toHaveCount(0);

  await choose(page, 'Type', ['Company']);
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  const change = page.getByRole('menuitem', { name: 'Change “Waiting” to these filters…' });
  await change.click();
  const asked = page.getByRole('dialog', { name: 'Change the view “Waiting” for all members?' });
  await expectPage(asked).toContainText(
    /It will show: Request status: Requested; Type: Company; Group: [\w ]+; Oldest first\./,
  );
  await asked.getByRole('button', { name: 'Change view' }).click();
  await expectPage(page.getByRole('button', { name: 'Views: Waiting' })).toBeVisible();
  await choose(page, 'Order', ['Newest first']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await expectPage(change).toBeDisabled();
  await page.getByRole('menuitem', { name: 'Waiting Shared' }).click();
  await page.getByRole('button', { name: 'Views: Waiting' }).click();
  await page.getByRole('menuitem', { name: 'Rename “Waiting”…' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename the view “Waiting”' });
  await expectPage(renaming).toContainText('all members will see the new name');
  await renaming.getByLabel('Name').fill('Asked for');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Views: Asked for' }).click();
  await page.getByRole('menuitem', { name: 'Delete “Asked for”…' }).click();
  await page.getByRole('button', { name: 'Delete view' }).click();
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await expectPage(page.getByText('Filters that you use often can be saved as a view.')).toBeVisible();
});

test('columns and density are chosen, columns keep their widths, and what was searched for is marked', async () => {
  const page = await signedIn(await openFirm({ clients: 30 }));
  await page.goto('/sandbox/clients?size=10');
  const widths = () => page.locator('th').evaluateAll((cells) => cells.map((cell) => cell.clientWidth));
  await expectPage(names(page)).toHaveCount(10);
  const before = await widths();
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expectPage(page.getByRole('button', { name: 'Page 2', exact: true })).toHaveAttribute('aria-current', 'page');
  expect(await widths()).toEqual(before);

  await page.getByRole('button', { name: 'Columns and density' }).click();
  const others = ['Client status', 'External ID'].map((name) => page.getByRole('checkbox', { name }));
  for (const other of others) await other.check();
  await page.getByLabel('Reference ID').check();
  expect((await widths())[1], 'names are not cut for other columns').toBeGreaterThanOrEqual(240);
  for (const other of others) await other.uncheck();
  await page.getByLabel('Type', { exact: true }).last().uncheck();
  await page.getByLabel('Compact').check();
  await page.keyboard.press('Escape');
  await page.reload();
  await expectPage(page.getByRole('columnheader')).toHaveText([
    '',
    'Client',
    'Request status',
    'Group',
    'Added',
    'Reference ID',
  ]);
  // On a phone, name and email are whole, below each other.
  await page.setViewportSize({ width: 390, height: 800 });
  const isCut = `[...document.querySelectorAll('.row-link, .row-text')].some((text) => text.scrollWidth > text.clientWidth)`;
  expect(await page.evaluate(isCut)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 720 });
  const name = await names(page).first().innerText();
  const word = name.split(' ')[0]?.slice(0, 3) ?? '';
  await page.getByLabel('Search by words of the name, email or IDs').fill(word.toUpperCase());
  await expectPage(page.locator('.row-link mark').first()).toHaveText(word);
  await expectPage(page.getByRole('combobox', { name: 'Order' })).toHaveAttribute('title', /always newest first/);
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expectPage(total(page)).toHaveText('30 clients');
  const field = page.getByLabel('Search by words of the name, email or IDs');
  await field.fill(word);
  await page.waitForURL(/search=/);
  await field.press('Escape');
  await expectPage(field).toHaveValue('');
});

test('from a client, the next and the previous one are opened, also by keyboard and after a reload, each without what was typed for another', async () => {
  const page = await signedIn(await openFirm({ clients: 40 }));
  await page.goto('/sandbox/clients?status=pending&order=oldest');
  await expectPage(names(page).nth(2)).toBeVisible();
  const listed = await names(page).allInnerTexts();
  const title = page.getByRole('heading', { level: 1 });
  for (const key of ['j', 'j', 'k', 'x']) await page.keyboard.press(key);
  await expectPage(names(page).first()).toBeFocused();
  await expectPage(page.getByText('1 selected')).toBeVisible();
  await page.keyboard.press('s');
  await expectPage(page.getByRole('combobox', { name: 'Set request status of the selected clients' })).toBeFocused();
  await names(page).nth(1).press('Enter');
  await expectPage(title).toHaveText(listed[1] ?? '');
  await page.goBack();
  await expectPage(names(page).nth(1), 'the way back leads to the same client').toBeFocused();
  await expectPage(page.getByText('1 selected')).toBeVisible();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expectPage(title).toHaveText(listed[0] ?? '');
  await expectPage(page.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await page.getByRole('button', { name: 'Next' }).click();
  await expectPage(title).toHaveText(listed[1] ?? '');
  // The client leaves the list, and still has its place in it.
  await page.getByRole('button', { name: 'Complete' }).click();
  await expectPage(page.getByText('Request status: Pending → Completed')).toBeVisible();
  await page.reload();
  await expectPage(page.getByRole('button', { name: 'Next' })).toBeEnabled();
  await page.keyboard.press('j');
  await expectPage(title).toHaveText(listed[2] ?? '');
  await expectPage(title, 'the keyboard goes on from the client').toBeFocused();
  await expectPage(page.getByRole('button', { name: 'Previous' })).toBeEnabled();
  await page.keyboard.press('k');
  await expectPage(title).toHaveText(listed[0] ?? '');
  await page.getByLabel('Reason').fill('jk');
  await expectPage(title).toHaveText(listed[0] ?? '');
  // Both clients have been loaded, so the page has nothing to wait for.
  await page.getByRole('button', { name: 'Next' }).click();
  await expectPage(title).toHaveText(listed[2] ?? '');
  await expectPage(page.getByLabel('Reason')).toHaveValue('');
  await expectPage(page.getByRole('button', { name: 'Next' })).toBeFocused();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Another name');
  await page.goBack();
  await expectPage(title).toHaveText(listed[0] ?? '');
  await expectPage(page.getByLabel('Reason'), 'what was typed is still there').toHaveValue('jk');
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('link', { name: '← Clients' }).click();
  await expectPage(page).toHaveURL(/status=pending/);
  await expectPage(names(page)).toHaveText(listed.toSpliced(1, 1));
  await expectPage(names(page).first()).toBeFocused();
});

test('the email and the ids of a client are copied with one click', async () => {
  const page = await signedIn(await openFirm({ clients: 1 }), { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto('/sandbox/clients');
  await names(page).first().click();
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  const id = new URL(page.url()).pathname.split('/').at(-1);
  await page.getByRole('button', { name: 'Copy Reference ID' }).click();
  await expect.poll(copied).toBe(id);
  await page.getByRole('button', { name: 'Copy email' }).click();
  await expect.poll(copied).toContain('@');
});

test('while the service is away, the page says so, and it goes on by itself when the service is back', async () => {
  const page = await signedIn(await openFirm({ clients: 30 }));
  await page.goto('/sandbox/clients?size=10');
  await expectPage(names(page)).toHaveCount(10);
  const first = await names(page).allInnerTexts();
  const lost = page.getByText('The connection to Rollcall is lost');
  await page.route('**/console/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expectPage(lost).toBeVisible();
  const [banner, sandbox] = [await lost.boundingBox(), await page.locator('.sandbox-banner').boundingBox()];
  expect(banner && sandbox && banner.y + banner.height <= sandbox.y, 'it covers nothing').toBe(true);
  await page.unroute('**/console/**');
  await expectPage(lost).toHaveCount(0);
  await expectPage(page.getByRole('button', { name: 'Page 2', exact: true })).toHaveAttribute('aria-current', 'page');
  await expectPage(names(page).first()).not.toHaveText(first[0] ?? '');
});
