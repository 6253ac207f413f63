import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { OPERATOR } from '../../packages/server/src/domain/change.ts';
import { findWorkspace } from '../../packages/server/src/domain/members/account.ts';
import { expectPage } from '../browser.ts';
import { withStore } from '../test-account.ts';
import { type Firm, openFirm, signedIn, useDashboard } from './firm.ts';
import { problemsOn } from './problems.ts';

useDashboard();

const boxes = (page: Page) => page.locator('.row').getByRole('checkbox');
const bar = (page: Page) => page.getByRole('region', { name: 'Selected clients' });
const result = (page: Page) => page.getByRole('region', { name: 'Result of the change' });

async function choose(page: Page, combobox: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: combobox }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** The number of clients that the list shows, according to the line below it. */
async function totalOf(page: Page): Promise<number> {
  const text = await page
    .getByText(/^[\d,]+ clients?$/)
    .first()
    .innerText();
  return Number(text.replace(/\D/g, ''));
}

test('clients are selected by range with mouse and keyboard, stay selected on other pages, and a change is undone', async () => {
  const page = await signedIn(await openFirm({ clients: 60, groups: 2 }), { locale: 'en-GB' });
  await page.goto('/sandbox/clients?size=25');
  await expectPage(boxes(page)).toHaveCount(25);
  const last = page.locator('.row').last();
  // Where the row is in the page, however far the page is scrolled.
  const place = () => last.evaluate((row) => (row as unknown as { offsetTop: number }).offsetTop);
  const before = await place();
  await boxes(page).nth(1).click();
  await boxes(page)
    .nth(5)
    .click({ modifiers: ['Shift'] });
  await expectPage(bar(page).getByText('5 selected')).toBeInViewport();
  expect(await place()).toBe(before);
  expect(await page.evaluate('String(getSelection())')).toBe('');

  await boxes(page).nth(7).focus();
  await page.keyboard.press('Space');
  await boxes(page).nth(9).focus();
  await page.keyboard.press('Shift+Space');
  await expectPage(bar(page).getByText('8 selected')).toBeVisible();
  await boxes(page).nth(4).click();
  await boxes(page)
    .nth(3)
    .click({ modifiers: ['Shift'] });
  await expectPage(bar(page).getByText('6 selected')).toBeVisible();

  await page.getByRole('button', { name: 'Page 2' }).click();
  await page.waitForURL(/page=2/);
  await expectPage(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expectPage(boxes(page).first()).not.toBeChecked();
  await page.getByLabel('Select all on this page').check();
  await expectPage(bar(page).getByText('31 selected')).toBeVisible();

  await bar(page).getByRole('button', { name: 'Deactivate' }).click();
  const dialog = page.getByRole('dialog');
  await expectPage(dialog.getByText('You can undo this afterwards.')).toBeVisible();
  const button = dialog.getByRole('button', { name: /^Deactivate \d+ clients$/ });
  const changed = Number(/\d+/.exec(await button.innerText())?.[0]);
  await button.click();
  await expectPage(page.getByText(`${changed} clients deactivated.`)).toBeVisible();
  await expectPage(bar(page)).toHaveCount(0);
  await expectPage(page.getByRole('heading', { level: 1, name: 'Clients' })).toBeFocused();
  await page.goto('/sandbox/clients?active=inactive&size=100');
  const inactive = await totalOf(page);
  expect(inactive).toBeGreaterThanOrEqual(changed);

  // The message with the button was on the page before.
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('combobox', { name: 'Move the selected clients to a group' }).click();
  await page.getByRole('option').first().click();
  await dialog.getByRole('button', { name: /^Move \d+ clients?$/ }).click();
  await expectPage(page.getByRole('alert').getByRole('button', { name: /^Undo/ })).toBeVisible();
  await page.keyboard.press('u');
  await expectPage(page.getByText(/^Put back: \d+ clients?\.$/)).toBeVisible();

  await page.goto('/sandbox/settings/activity?kind=client');
  const undone = page.getByRole('row').filter({ hasText: /Undid a change of \d+ clients/ });
  await expectPage(page.getByText(/^Moved \d+ clients to “.+”/)).toBeVisible();
  await undone.first().getByRole('button', { name: 'Show the clients' }).click();
  const client = undone.first().getByRole('listitem').first();
  await expectPage(client).toContainText(/Group: .+ → .+/);
  await client.getByRole('link').click();
  await page.waitForURL(/sandbox\/clients\/\d+-\d+$/);
  await page.getByRole('link', { name: '← Activity' }).click();
  await page.waitForURL(/activity\?kind=client$/);
  await page.goBack();
  await page.getByRole('link', { name: 'See the activity log' }).click();
  await expectPage(undone.first()).toBeVisible();
  await expectPage(page.getByText(/^Moved \d+ clients to “.+”/)).toBeVisible();
});

/** Keeps the service from beginning with changes of the workspace, because another process seems to run one. */
async function whileBlocked({ program, owner }: Firm, work: () => Promise<void>): Promise<void> {
  await withStore(program, async (store) => {
    const workspaceId = await findWorkspace(store, owner, 'sandbox');
    const request = { patch: { status: 'active' }, filter: { createdUntil: 0 } } as const;
    const change = { id: 'chg_blocking', request, actor: OPERATOR, total: 1 };
    const context = { workspaceId, actor: OPERATOR, at: Date.now() };
    await store.changeWorkspace(context, ({ bulkChanges }) => bulkChanges.enqueue(change));
    const claimed = await store.bulkChanges.claim('nobody', Date.now());
    let renewed: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      if (claimed) renewed = store.bulkChanges.renew(claimed, 'nobody', Date.now());
    }, 1000);
    try {
      await work();
    } finally {
      clearInterval(timer);
      await renewed;
    }
  });
}

test('all clients that match are changed in the background, with progress that is seen again, and can be undone', async () => {
  const firm = await openFirm({ clients: 1500, groups: 2 });
  const page = await signedIn(firm);
  await page.goto('/sandbox/clients?status=pending');
  await expectPage(boxes(page)).toHaveCount(25);
  const pending = await totalOf(page);
  expect(pending).toBeGreaterThan(100);
  await page.getByLabel('Select all on this page').check();
  await bar(page)
    .getByRole('button', { name: `Select all ${pending.toLocaleString('en')} that match` })
    .press('Enter');
  await expectPage(bar(page)).toBeFocused();
  await expectPage(bar(page).getByText(`All ${pending.toLocaleString('en')} selected`)).toBeVisible();
  // The selection belongs to the filters. While their list loads, the one before is still shown, and is none of it.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/console\/sandbox\/clients\?.*accepted/, async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole('link', { name: /^Accepted/ }).click();
  await expectPage(page.locator('[aria-busy=true]')).toHaveCount(1);
  await page.locator('.row input').first().click({ force: true });
  await expectPage(bar(page)).toHaveCount(0);
  release();
  await expectPage(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expectPage(page.locator('.row input:checked')).toHaveCount(0);
  await boxes(page).first().check();
  await expectPage(bar(page).getByText('1 selected')).toBeVisible();
  await page.goBack();

  await whileBlocked(firm, async () => {
    await page.getByLabel('Select all on this page').check();
    await bar(page)
      .getByRole('button', { name: /^Select all/ })
      .click();
    await choose(page, 'Set request status of the selected clients', 'Completed');
    const dialog = page.getByRole('dialog', { name: `Change ${pending} clients to Completed?` });
    await expectPage(dialog.getByText('makes this change in the background')).toBeVisible();
    await dialog.getByRole('button', { name: `Change ${pending} clients` }).click();

    const running = page.getByRole('region', { name: `Changing ${pending} clients to Completed` });
    await expectPage(running.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0');
    await expectPage(running.getByText('Waiting to begin.')).toBeVisible();
    // Other pages show it in a line, from which it can be cancelled, too.
    await page.getByRole('link', { name: 'Overview' }).click();
    await expectPage(running).toHaveText(/: waiting to begin/);
    await page
      .getByRole('region', { name: /^Activating/ })
      .getByRole('button', { name: 'Cancel' })
      .click();
  });
  await expectPage(page.locator('.background-change')).toHaveCount(0);
  await page.goBack();
  await expectPage(result(page).getByText(`${pending} clients changed to Completed.`)).toBeVisible();
  await expectPage(page.getByText('No clients found')).toBeVisible();

  await page.reload();
  await expectPage(result(page).getByRole('button', { name: 'Undo u' })).toBeVisible();
  await page.keyboard.press('u');
  await expectPage(result(page).getByText(`Put back: ${pending} clients.`)).toBeVisible();
  await expectPage(boxes(page)).toHaveCount(25);
  expect(await totalOf(page)).toBe(pending);
  await result(page).getByRole('button', { name: 'Close the result' }).click();
  await expectPage(result(page)).toHaveCount(0);

  await page.getByLabel('Select all on this page').check();
  await bar(page)
    .getByRole('button', { name: /^Select all/ })
    .click();
  await choose(page, 'Set request status of the selected clients', 'Declined');
  const dialog = page.getByRole('dialog', { name: `Change ${pending} clients to Declined?` });
  await dialog.getByLabel('Reason').fill('The offer has ended.');
  await dialog.getByRole('button', { name: `Change ${pending} clients` }).click();
  const declined = `${pending} clients changed to Declined. This cannot be undone.`;
  await expectPage(result(page).getByText(declined)).toBeVisible();
  await page.keyboard.press('u');
  await expectPage(
    page.getByText(`Nothing was undone: ${pending} clients cannot be put back, because a client that is Declined`),
  ).toBeVisible();
  // A later change is the last one, also when its message has gone.
  await page.goto('/sandbox/clients?status=requested');
  await boxes(page).first().check();
  await bar(page).getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate 1 client' }).click();
  await expectPage(page.getByText('1 client deactivated.')).toBeVisible();
  await page.keyboard.press('u');
  await expectPage(page.getByText('Put back: 1 client.')).toBeVisible();
  await page.keyboard.press('u');
  await expectPage(page.getByText('Nothing was undone')).toHaveCount(0);

  await page.goto('/sandbox/settings/activity?search=offer+has+ended');
  const entry = page.getByRole('row').filter({ hasText: `Changed ${pending} clients to Declined` });
  await entry.getByRole('button', { name: 'Show the clients' }).click();
  await expectPage(entry.getByRole('listitem').first()).toContainText('The offer has ended.');
  await expectPage(entry.getByText('What was changed of the others, and why, is in their histories.')).toBeVisible();
});

/** Lets time pass without anybody at the desk, until the page has done what was due. */
async function beAway(page: Page): Promise<void> {
  const asked = page.waitForResponse(/\/bulk-changes$/);
  await page.clock.fastForward('05:00');
  await asked;
}

test('the result of a change in the background waits for a member who is away, as long as it offers or reports something', async () => {
  const firm = await openFirm({ clients: 150, groups: 1 });
  // In a profile that no other test uses, because it cannot forget the other clock.
  const page = await signedIn(firm, {});
  await page.clock.install();
  await page.goto('/sandbox/clients?active=active');
  await expectPage(boxes(page)).toHaveCount(25);
  const active = await totalOf(page);
  expect(active).toBeGreaterThan(100);
  const deactivateAll = async () => {
    await page.getByLabel('Select all on this page').check();
    await bar(page)
      .getByRole('button', { name: /^Select all/ })
      .click();
    await bar(page).getByRole('button', { name: 'Deactivate' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Deactivate ${active} clients` })
      .click();
    await expectPage(result(page).getByText(`${active} clients deactivated.`)).toBeVisible();
  };
  const address = (await page.locator('.row a').first().getAttribute('href')) ?? '';
  await deactivateAll();
  await beAway(page);
  await expectPage(result(page).getByRole('button', { name: 'Undo u' })).toBeVisible();

  const reference = new URL(address, firm.service.dashboard).pathname.split('/').at(-1);
  const changed = await page.request.post('/console/sandbox/clients/changes', {
    headers: { origin: firm.service.dashboard },
    data: { reference_ids: [reference], client_status: 'active' },
  });
  expect(await changed.json()).toMatchObject({ data: { changed: 1 } });
  await page.keyboard.press('u');
  const leftAlone = result(page).getByText(
    `Put back: ${active - 1} clients. 1 client was changed by somebody since and left alone.`,
  );
  await expectPage(leftAlone).toBeVisible();
  await beAway(page);
  await expectPage(leftAlone).toBeVisible();

  // Nothing is left to do after this one.
  await deactivateAll();
  await page.keyboard.press('u');
  await expectPage(result(page).getByText(`Put back: ${active} clients.`)).toBeVisible();
  await beAway(page);
  await expectPage(result(page)).toHaveCount(0);

  // Whoever has seen it need not see it again.
  await deactivateAll();
  await page.keyboard.press('u');
  await expectPage(result(page).getByText(`Put back: ${active} clients.`)).toBeVisible();
  await page.reload();
  await expectPage(boxes(page)).toHaveCount(25);
  await expectPage(result(page)).toHaveCount(0);
});

test('a list is worked through by keyboard: Esc leads back to it, the place stays, and what cannot be undone takes Ctrl+Enter', async () => {
  const page = await signedIn(await openFirm({ clients: 60, groups: 2 }));
  await page.goto('/sandbox/clients?status=pending');
  const links = page.locator('.row-link');
  await expectPage(links.nth(3)).toBeVisible();
  const names = await links.allInnerTexts();
  const [, second = '', third = ''] = names;
  for (const key of ['j', 'j', 'x', 's']) await page.keyboard.press(key);
  const status = page.getByRole('combobox', { name: 'Set request status of the selected clients' });
  await expectPage(status).toBeFocused();
  // The first Esc closes the options. Nobody types in the field, so the keys of the list work there.
  await page.keyboard.press('ArrowDown');
  await expectPage(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Escape');
  await expectPage(page.getByRole('option')).toHaveCount(0);
  await expectPage(status).toBeFocused();
  await page.keyboard.press('j');
  await expectPage(links.nth(2)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('s');
  await page.keyboard.press('Escape');
  await expectPage(links.nth(1)).toBeFocused();
  await expectPage(bar(page).getByText('1 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expectPage(bar(page)).toHaveCount(0);
  await expectPage(links.nth(1)).toBeFocused();

  await page.keyboard.press('x');
  await choose(page, 'Set request status of the selected clients', 'Declined');
  const dialog = page.getByRole('dialog', { name: `Change ${second} to Declined?` });
  await expectPage(dialog).toContainText('@');
  await expectPage(dialog).toContainText('This cannot be undone');
  await page.keyboard.press('Enter');
  await expectPage(dialog.getByLabel('Reason')).toHaveValue('\n');
  await page.keyboard.press('Control+Enter');
  await expectPage(page.getByText('1 client changed to Declined. This cannot be undone.')).toBeVisible();
  await expectPage(links).toHaveText(names.filter((_, index) => index !== 1));
  await expectPage(links.nth(1)).toHaveText(third);
  await expectPage(links.nth(1)).toBeFocused();

  // Enter is enough for what can be undone.
  await page.keyboard.press('x');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await bar(page).getByRole('button', { name: 'Deactivate' }).click();
  const several = page.getByRole('dialog', { name: 'Deactivate 2 clients?' });
  await expectPage(several.getByText(' and ')).toBeVisible();
  await page.keyboard.press('Enter');
  await expectPage(page.getByText('2 clients deactivated.')).toBeVisible();
  await expectPage(links.first()).toBeFocused();

  await choose(page, 'Type', 'Individual');
  await page.waitForURL(/type=individual/);
  await expectPage(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.keyboard.press('j');
  await expectPage(links.first()).toBeFocused();
  await choose(page, 'Order', 'Oldest first');
  await page.keyboard.press('/');
  await expectPage(page.getByLabel('Search by words of the name, email or IDs')).toBeFocused();
});

test('on a phone everything fits and is accessible, and those that cannot be changed are explained', async () => {
  const page = await signedIn(await openFirm({ clients: 150, groups: 2 }), {
    viewport: { width: 390, height: 780 },
    colorScheme: 'dark',
  });
  await page.goto('/sandbox/clients');
  await page.getByLabel('Select all on this page').check();
  await expectPage(page.locator('.key-hint')).toBeHidden();
  await bar(page).getByRole('button', { name: 'Select all 150 that match' }).click();
  await expectPage(bar(page).getByRole('button', { name: 'Export selected' })).toBeVisible();
  const box = await bar(page).boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  expect(await problemsOn(page, '.dock')).toEqual([]);

  await choose(page, 'Set request status of the selected clients', 'Pending');
  const dialog = page.getByRole('dialog');
  await expectPage(
    dialog.getByText(/^\d+ of the selected clients are Declined and cannot become Pending\.$/),
  ).toBeVisible();
  expect(await problemsOn(page, '[role=dialog]')).toEqual([]);
  await dialog.getByRole('button', { name: /^Change \d+ clients$/ }).click();
  await expectPage(
    result(page).getByText(/^\d+ clients changed to Pending\. \d+ already were Pending\. \d+ not changed\./),
  ).toBeVisible();
  expect(await problemsOn(page, '.dock')).toEqual([]);
  await result(page).getByRole('button', { name: 'Show why' }).click();
  await expectPage(dialog.getByText(/^The request status cannot change from Declined to Pending\./)).toBeVisible();
});
