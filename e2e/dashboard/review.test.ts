import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { expectPage, visitor } from '../browser.ts';
import { PASSWORD } from '../test-account.ts';
import { type Firm, joinAsViewer, openFirm, signedIn, useDashboard } from './firm.ts';
import { problemsOn } from './problems.ts';

useDashboard();

const NAMES = ['Ann', 'Bob', 'Cleo', 'Dan', 'Eve', 'Finn'];

/** A firm with these clients, who wait for a review in this order, and with one who does not wait. */
async function openWaiting(names = NAMES): Promise<Firm> {
  const firm = await openFirm();
  const rows = names.map((name, index) => {
    const added = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    return `${name.toLowerCase()}@mail.example,${name},company,North,pending,${added}`;
  });
  const file = ['email,client_name,client_type,group_name,request_status,created_at', ...rows];
  file.push('zoe@mail.example,Zoe,individual,North,requested,2025-01-01', '');
  const where = ['--account', firm.owner, '--environment', 'production'];
  await firm.program.json(['import', '-', ...where, '--format', 'csv'], file.join('\n'));
  return firm;
}

async function expectCurrent(page: Page, name: string): Promise<void> {
  await expectPage(page.locator('[aria-current=true]')).toContainText(name);
  // When the list has changed by itself, a key counts only after the member has been able to see which client is current.
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
}

/** Completes what the open dialog is about, with the key alone. */
async function confirm(page: Page): Promise<void> {
  await expectPage(page.getByRole('dialog').getByLabel('Reason')).toBeFocused();
  await page.keyboard.press('Enter');
}

/** What is typed right after a reason belongs to it and does nothing. */
async function rest(page: Page): Promise<void> {
  await page.waitForTimeout(500);
}

/** Runs in the page. The keys were pressed within a millisecond, however long the page takes for each of them. */
const TYPE_ON = `(async () => {
  const value = performance.now();
  for (const key of ['Enter', 'a', 'c']) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value }));
    await new Promise((resolve) => setTimeout(resolve));
  }
})()`;

const current = (page: Page) => page.locator('.review-choice[aria-current=true]');
const tab = (page: Page) => page.getByRole('navigation', { name: 'Assigned to' }).locator('[aria-current]');
const counter = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).locator('.nav-count');

/** Somebody who has joined the firm as an admin. */
async function joinAsAdmin({ service }: Firm, owner: Page): Promise<Page> {
  const headers = { origin: service.dashboard };
  const invited = await owner.request.post('/console/invitations', {
    headers,
    data: { email: 'admin@firm.example', role: 'admin' },
  });
  const { token } = (await invited.json()).data;
  const admin = await visitor(service.dashboard);
  await admin.request.post('/console/invitation/acceptance', { headers, data: { token, password: PASSWORD } });
  return admin;
}

test('a whole review by keyboard alone: complete, undo, decline with a reason, assign, several at once', async () => {
  const firm = await openWaiting();
  await firm.program.json(['account', 'update', '--account', firm.owner, '--require-decline-reason', 'yes']);
  const page = await signedIn(firm);
  await page.goto('/production/clients');
  await expectPage(counter(page)).toHaveText('6 waiting');
  // The second key has to follow the first within a short time, which a busy machine may need several attempts for.
  await expectPage(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    expect(new URL(page.url()).pathname).toBe('/production/review');
  }).toPass();
  await expectCurrent(page, 'Ann');
  await expectPage(page.getByText('6 clients are waiting for review.')).toBeVisible();
  await expectPage(page.getByRole('list', { name: 'Clients that wait' })).not.toContainText('Pending');
  await expectPage(page.getByRole('region', { name: 'Current client' }).getByText('ann@mail.example')).toHaveCount(1);
  expect(await problemsOn(page)).toEqual([]);
  await page.keyboard.press('Shift+?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const text of ['Next client', 'Complete the client', 'Clear the selection', 'Undo']) {
    await expectPage(help.getByText(text).first()).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await expectPage(help).toHaveCount(0);

  await page.keyboard.press('j');
  await expectCurrent(page, 'Bob');
  await expectPage(page.locator('[aria-current=true]')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expectCurrent(page, 'Cleo');
  await page.keyboard.press('k');
  await page.keyboard.press('ArrowUp');
  await expectCurrent(page, 'Ann');
  const since = () =>
    page.getByRole('region', { name: 'Current client' }).locator('time').first().getAttribute('datetime');
  const waiting = await since();
  await page.keyboard.press('Control+c');
  await expectPage(page.getByRole('dialog')).toHaveCount(0);

  const completeAnn = page.getByRole('dialog', { name: 'Complete Ann?' });
  for (const giveUp of [
    () => page.keyboard.press('Escape'),
    () => completeAnn.getByRole('button', { name: 'Cancel' }).click(),
    () => completeAnn.getByRole('button', { name: 'Close' }).click(),
  ]) {
    await page.keyboard.press('c');
    await page.keyboard.type('Looks wrong');
    await giveUp();
    await expectPage(completeAnn).toHaveCount(0);
  }
  // What was typed and given up does not become a part of the history.
  await page.keyboard.press('c');
  await expectPage(completeAnn.getByLabel('Reason (optional)')).toHaveValue('');
  await confirm(page);
  await expectPage(page.getByText('Completed: Ann.')).toBeVisible();
  await expectCurrent(page, 'Bob');
  // The message goes away by itself, so nothing else is checked before.
  await page.keyboard.press('u');
  await expectPage(page.getByText('Put back: Ann.')).toBeVisible();
  await expectCurrent(page, 'Ann');
  await expectPage(current(page)).toBeFocused();
  await expectPage(counter(page)).toHaveText('6 waiting');
  expect(await since(), 'for as long as before').toBe(waiting);

  await page.keyboard.press('d');
  const decline = page.getByRole('dialog', { name: 'Decline Ann?' });
  await expectPage(decline.getByLabel('Reason')).toBeFocused();
  await expectPage(decline.getByLabel('Reason')).toHaveAttribute('required');
  await expectPage(decline).toContainText('This cannot be undone');
  expect(await problemsOn(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await expectPage(decline.getByText('Reason is missing: the account requires one to decline a client.')).toBeVisible();
  await page.keyboard.type('No documents, and juggled dates');
  // What was given up is in no dialog after that.
  for (const key of ['Escape', 'j', 'k', 'd']) await page.keyboard.press(key);
  await expectPage(decline.getByLabel('Reason')).toHaveValue('');
  await page.keyboard.type('No documents, and juggled dates');
  // What cannot be undone is not done by a new line.
  await page.keyboard.press('Enter');
  await expectPage(decline.getByLabel('Reason')).toHaveValue('No documents, and juggled dates\n');
  await page.keyboard.press('Control+Enter');
  await expectCurrent(page, 'Bob');
  await expectPage(page.getByText('Declined: Ann.')).toBeVisible();
  await expectPage(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);

  await rest(page);
  await page.keyboard.press('a');
  await expectPage(page.locator('[aria-current=true]')).toContainText('You');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await expectCurrent(page, 'Cleo');
  await page.keyboard.press('x');
  await expectPage(page.getByText('2 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expectPage(page.getByText('2 selected')).toHaveCount(0);
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await expectCurrent(page, 'Dan');
  await page.keyboard.press('x');
  await page.keyboard.press('c');
  const complete = page.getByRole('dialog', { name: 'Complete 2 clients?' });
  await expectPage(complete).toContainText('Cleo and Dan');
  await page.keyboard.type('Documents complete and checked');
  await expectPage(complete.getByLabel('Reason')).toHaveValue('Documents complete and checked');
  // Whoever types on after Enter means the reason, and not the next client.
  await page.evaluate(TYPE_ON);
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  await expectPage(page.getByText('Completed: 2 clients.')).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
  await expectCurrent(page, 'Eve');
  await expectPage(current(page)).toBeFocused();
  await expectPage(current(page)).not.toContainText('You');
  await expectPage(counter(page)).toHaveText('3 waiting');

  await rest(page);
  // The last change is the assignment now. When it is undone, the decision before it is not.
  for (const key of ['a', 'u', 'u']) await page.keyboard.press(key);
  await expectPage(page.getByText('Assigned as before: Eve.')).toBeVisible();
  await expectCurrent(page, 'Eve');
  await expectPage(current(page)).not.toContainText('You');
  await expectPage(counter(page)).toHaveText('3 waiting');
  // The last decision is the decline, so the one before it is not undone, either.
  await page.keyboard.press('d');
  await page.keyboard.type('Too young');
  await page.keyboard.press('Control+Enter');
  await rest(page);
  await page.keyboard.press('u');
  await expectPage(page.getByText('Nothing was undone: Eve cannot be put back')).toBeVisible();
  await expectPage(counter(page)).toHaveText('2 waiting');
  await page.keyboard.press('c');
  await page.keyboard.press('Enter');
  await expectPage(page.getByText('Completed: Finn.')).toBeVisible();
  await expectPage(counter(page)).toHaveText('1 waiting');

  // After `g`, a letter opens a page and does nothing else.
  await expectPage(async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    expect(new URL(page.url()).pathname).toBe('/production/clients');
  }).toPass();
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  await expectPage(page.getByText('Completed: Finn.'), 'it goes with the page').toHaveCount(0);
  await page.goto('/production/review?assigned=me');
  await expectCurrent(page, 'Bob');
  await expectPage(tab(page)).toHaveText(['Mine']);
  await expectPage(page.getByText('1 client is waiting for you.')).toBeVisible();
  await page.keyboard.press('a');
  await expectPage(page.getByText('No client is waiting for you')).toBeVisible();
  await page.getByRole('link', { name: 'Everyone', exact: true }).click();
  await expectCurrent(page, 'Bob');
  await expectPage(tab(page)).toHaveText(['Everyone']);
  await page.keyboard.press('a');
  await expectPage(current(page)).toContainText('You');
  await page.getByRole('link', { name: 'Mine', exact: true }).click();
  await expectCurrent(page, 'Bob');
  await current(page).press('Enter');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Bob' })).toBeVisible();
  await expectPage(page.getByRole('link', { name: '← Review' })).toHaveAttribute('href', /assigned=me/);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expectPage(pages.locator('[aria-current=page]')).toHaveText(/^Review/);
  await expectPage(page.getByRole('combobox', { name: 'Assignee' })).toHaveValue(firm.owner);

  await page.goto('/production/clients?search=ann');
  await page.locator('.row-link').first().click();
  await expectPage(page.getByRole('listitem').filter({ hasText: 'Pending → Declined' })).toContainText(
    'Reason: No documents, and juggled dates',
  );
  await page.goto('/production/overview');
  const times = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Reviews' }) });
  await expectPage(times.getByText('Median time from added to completed')).toBeVisible();
  // Nobody knows for how long they had been Pending before they were imported.
  await expectPage(times.getByRole('row', { name: 'Pending – –' })).toBeVisible();
});

/** Holds every decision back until the returned function is called, and fails the one about this client. */
async function holdDecisions(page: Page, failing: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/review/decisions', async (route) => {
    await promise;
    if (!route.request().postData()?.includes(`"${failing}"`)) return route.continue();
    return route.fulfill({ status: 409, json: { status_code: 409, message: 'Not this one.', data: null } });
  });
  return resolve;
}

test('the history of a client begins with the same words in the review and on its page, and the list says when each was added', async () => {
  const firm = await openWaiting(['Ann', 'Bob']);
  const page = await signedIn(firm);
  await page.goto('/production/review');
  const history = page.locator('.timeline');
  await expectPage(history).toContainText('Imported from “stdin”');
  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await expectPage(page.getByRole('link', { name: 'See the activity log' })).toBeVisible();
  await expectPage(history).toContainText('Imported from “stdin”');

  // Whoever waits only since now, but was added long ago, is still the first.
  const reference = new URL(page.url()).pathname.split('/').at(-1);
  for (const request_status of ['completed', 'pending']) {
    const data = { reference_ids: [reference], request_status };
    await page.request.post('/console/production/clients/changes', {
      headers: { origin: firm.service.dashboard },
      data,
    });
  }
  await page.goto('/production/review');
  await expectPage(page.getByText('Those added earliest come first.')).toBeVisible();
  await expectPage(current(page)).toContainText(/Ann.*added \d+ days ago/s);
  await expectPage(page.getByRole('region', { name: 'Current client' })).toContainText(
    /for less than a minute, added \d+ days ago/,
  );
});

test('keys act at once on the client that is current, however fast they are pressed, and what fails comes back', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `C${String(index + 1).padStart(2, '0')}`);
  const page = await signedIn(await openWaiting(names));
  await page.goto('/production/review');
  await expectCurrent(page, 'C01');
  const release = await holdDecisions(page, 'C04');
  const press = async (keys: string) => {
    for (const key of keys.split(' ')) await page.keyboard.press(key);
  };
  // From the third on: it is completed, the fourth, too, the fifth is declined, and the sixth stays.
  await press('j j c Enter c Enter d n o Control+Enter ArrowDown');
  await expectPage(current(page)).toContainText('C07');
  await expectPage(current(page)).toBeFocused();
  await expectPage(page.locator('.review-name').nth(2)).toHaveText('C06');
  await rest(page);
  await press('a j x j x');
  await expectPage(page.getByText('2 selected')).toBeInViewport();
  await expectPage(page.getByRole('region', { name: 'Selected clients' })).toContainText('Assign to me');
  await press('Escape k k');
  await expectPage(current(page)).toContainText('C07');

  release();
  await expectPage(page.getByRole('alert').filter({ hasText: 'Nothing was changed' })).toContainText(
    'C04: Not this one.',
  );
  await expectPage(page.getByText('Assigned to you: C07.')).toBeVisible();
  await expectPage(page.locator('.review-name').nth(2)).toHaveText('C04');
  await expectPage(current(page), 'what comes back does not take the place of the current one').toContainText('C07');
  await expectPage(page.getByRole('alert').filter({ hasText: 'Somebody else' })).toHaveCount(0);
  await expectPage(counter(page)).toHaveText('58 waiting');

  // Nor is the reason lost that was typed for what has failed, until it is given up.
  await press('k k d');
  const decline = page.getByRole('dialog', { name: 'Decline C04?' });
  await page.keyboard.type('Not real');
  const answered = page.waitForResponse(/\/review\/decisions$/);
  await press('Control+Enter');
  await answered;
  await rest(page);
  await page.locator('.review-choice').filter({ hasText: 'C04' }).click();
  await press('d');
  await expectPage(decline.getByLabel('Reason')).toHaveValue('Not real');
  await press('Escape d');
  await expectPage(decline.getByLabel('Reason')).toHaveValue('');
  await press('Escape j j');
  await expectCurrent(page, 'C07');

  // An undo that is pressed before the decision was sent follows it.
  await press('c Enter u');
  await expectPage(page.getByText('Put back: C07.')).toBeVisible();
  await expectCurrent(page, 'C07');
  expect(new URL(page.url()).pathname).toBe('/production/review');
});

test('the review goes on over the end of a page, keeps what was decided meanwhile, and a phone shows the details below the client', async () => {
  const names = Array.from({ length: 70 }, (_, index) => `Client ${String(index + 1).padStart(2, '0')}`);
  const firm = await openWaiting(names.map((name) => name.replace(' ', '')));
  const page = await signedIn(firm, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto('/production/review');
  await expectCurrent(page, 'Client01');
  await expectPage(page.locator('.review-item').first().getByRole('region', { name: 'Current client' })).toBeVisible();
  // There are no keys on such a device.
  await expectPage(page.getByRole('button', { name: 'Complete', exact: true })).toBeVisible();
  await expectPage(page.locator('.key-hint').filter({ visible: true })).toHaveCount(0);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/review\?after=/, async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.keyboard.press('c');
  await confirm(page);
  await expectCurrent(page, 'Client02');
  await page.keyboard.press('a');
  await expectPage(page.locator('[aria-current=true]')).toContainText('You');
  release();
  await expectPage(page.locator('.review-item')).toHaveCount(69);
  await expectPage(page.locator('.review-item').first()).toContainText('Client02');
  await expectPage(page.locator('.review-item').first()).toContainText('You');
  for (let moved = 2; moved < names.length; moved++) {
    await page.keyboard.press('j');
    await expectPage(page.locator('[aria-current=true]')).toContainText(`Client${String(moved + 1).padStart(2, '0')}`);
  }
  await expectPage(page.locator('[aria-current=true]')).toBeInViewport();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.locator('[aria-current=true]').press('k');
  await expectCurrent(page, 'Client69');
});

test('whoever opens a client finds the place in the list again, also if the client has left it meanwhile', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `C${String(index + 1).padStart(2, '0')}`);
  const page = await signedIn(await openWaiting(names));
  await page.goto('/production/review');
  await expectCurrent(page, 'C01');
  for (let moved = 0; moved < 25; moved++) await page.keyboard.press('j');
  await expectCurrent(page, 'C26');
  const open = async (name: string) => {
    await page.keyboard.press('Enter');
    await expectPage(page.getByRole('heading', { level: 1, name }), 'the keyboard goes on there').toBeFocused();
  };
  const expectPlace = async (name: string) => {
    await expectCurrent(page, name);
    await expectPage(current(page)).toBeFocused();
    await expectPage(current(page)).toBeInViewport({ ratio: 1 });
  };
  await open('C26');
  await page.getByRole('link', { name: '← Review' }).click();
  await expectPlace('C26');
  await open('C26');
  await page.goBack();
  await expectPlace('C26');

  await page.getByRole('link', { name: 'Open', exact: true }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'C26' })).toBeVisible();
  await expectPage(page.getByRole('button', { name: 'Next' })).toBeEnabled();
  await page.keyboard.press('j');
  await expectPage(page.getByRole('heading', { level: 1, name: 'C27' })).toBeVisible();
  await page.getByRole('link', { name: '← Review' }).click();
  await expectPlace('C27');

  // On its page, too, a key asks first.
  await open('C27');
  await page.keyboard.press('Shift+?');
  await expectPage(page.getByRole('dialog').getByText('Complete the client, if the page offers it')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('d');
  const decline = page.getByRole('dialog', { name: 'Decline C27?' });
  await page.keyboard.type('Looks wrong');
  await expectPage(decline.getByLabel('Reason')).toHaveValue('Looks wrong');
  await page.keyboard.press('Escape');
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('c');
  const complete = page.getByRole('dialog', { name: 'Complete C27?' });
  await expectPage(complete.getByLabel('Reason')).toHaveValue('');
  await page.keyboard.type('Documents are here');
  await page.keyboard.press('Enter');
  await expectPage(page.getByRole('listitem').filter({ hasText: 'Pending → Completed' })).toContainText(
    'Reason: Documents are here',
  );
  await rest(page);
  await page.keyboard.press('c');
  await expectPage(page.getByRole('dialog'), 'it is not offered any more').toHaveCount(0);
  await page.getByRole('link', { name: '← Review' }).click();
  await expectPlace('C28');

  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await page
    .getByRole('link', { name: /^Review/ })
    .first()
    .click();
  await expectCurrent(page, 'C01');
});

test('a client that is tapped on a phone is shown from its name to its buttons', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `C${String(index + 1).padStart(2, '0')}`);
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await signedIn(await openWaiting(names), phone);
  await page.goto('/production/review');
  await expectCurrent(page, 'C01');
  const header = await page.locator('header').boundingBox();
  for (const name of ['C05', 'C12', 'C02']) {
    await page.locator('.review-choice').filter({ hasText: name }).tap();
    await expectCurrent(page, name);
    const details = page.getByRole('region', { name: 'Current client' });
    for (const part of [current(page), details.getByRole('heading', { name }), details.getByRole('button').last()]) {
      await expectPage(part).toBeInViewport({ ratio: 1 });
      expect((await part.boundingBox())?.y, 'below the header').toBeGreaterThanOrEqual(header?.height ?? 844);
    }
  }
});

test('of clients with the same name, the dialog says which one is meant; messages leave the buttons for several in sight', async () => {
  const firm = await openWaiting(['Ann', 'Bob', 'Cleo', 'Wilhelmine-Charlotte-von-Sachsen-Anhalt']);
  const page = await signedIn(firm);
  await page.goto('/production/review');
  await expectCurrent(page, 'Ann');
  // A long email has all the room that is on its line.
  const email = page.locator('.review-choice').getByText('wilhelmine-charlotte-von-sachsen-anhalt@mail.example');
  await expectPage(email).toBeVisible();
  const isWhole = (text: unknown) => {
    const { scrollWidth, clientWidth } = text as { scrollWidth: number; clientWidth: number };
    return scrollWidth <= clientWidth;
  };
  expect(await email.evaluate(isWhole)).toBe(true);
  await page.keyboard.press('d');
  const decline = page.getByRole('dialog', { name: 'Decline Ann?' });
  await expectPage(decline).toContainText('ann@mail.example');
  await expectPage(decline).toContainText('Group: North');
  expect(await problemsOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('c');
  await expectPage(page.getByRole('dialog', { name: 'Complete Ann?' })).toContainText('ann@mail.example');
  await confirm(page);
  await expectPage(page.getByText('Completed: Ann.')).toBeVisible();
  await page.keyboard.press('x');
  const bar = page.getByRole('region', { name: 'Selected clients' });
  await expectPage(bar).toBeVisible();
  const message = page.getByRole('alert').filter({ hasText: 'Completed: Ann.' });
  await expectPage(async () => {
    const [above, below] = [await message.boundingBox(), await bar.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 720)).toBeLessThanOrEqual(below?.y ?? 0);
  }).toPass({ timeout: 5000 });
});

test('two members review at once: nothing is overwritten, each sees to whom a client is assigned, a viewer only looks', async () => {
  const firm = await openWaiting(['Ann', 'Bob', 'Cleo']);
  const owner = await signedIn(firm);
  await owner.goto('/production/review');
  await expectCurrent(owner, 'Ann');
  const admin = await joinAsAdmin(firm, owner);
  await admin.goto('/production/review');
  await expectCurrent(admin, 'Ann');
  // Before the page of the owner could notice that somebody else has decided.
  await owner.keyboard.press('d');
  await owner.getByRole('dialog', { name: 'Decline Ann?' }).getByLabel('Reason').fill('Too late');
  await admin.keyboard.press('c');
  await confirm(admin);
  await expectCurrent(admin, 'Bob');
  await admin.keyboard.press('a');
  await expectPage(admin.locator('[aria-current=true]')).toContainText('You');
  // The list says so at once, the history when the service has answered.
  await expectPage(admin.getByText('Assignee: nobody → admin@firm.example')).toBeVisible();

  await owner.keyboard.press('Control+Enter');
  await expectPage(owner.getByRole('alert').filter({ hasText: 'Nothing was changed' })).toContainText(
    'Ann: Somebody else has changed this client in the meantime.',
  );
  await expectCurrent(owner, 'Bob');
  await expectPage(owner.locator('[aria-current=true]')).toContainText('admin@firm.example');
  await expectPage(counter(owner)).toHaveText('2 waiting');
  // Where very many clients are assigned, those of nobody are looked for only as far as the member wants.
  let asked = 0;
  await owner.route(/\/console\/production\/review\?assigned=nobody/, async (route) => {
    if (++asked > 4) return route.continue();
    const data = { results: [], next: '1-1', leaves_out: false };
    return route.fulfill({ json: { status_code: 200, message: 'Success', data } });
  });
  await owner.getByRole('link', { name: 'Unassigned', exact: true }).click();
  const further = owner.getByRole('button', { name: 'Look further' });
  await expectPage(further).toBeEnabled();
  expect(asked).toBe(3);
  await further.click();
  await expectCurrent(owner, 'Cleo');
  expect(asked).toBe(5);
  await owner.getByRole('link', { name: 'Mine', exact: true }).click();
  await expectPage(owner.getByText('No client is waiting for you')).toBeVisible();
  await owner.getByRole('link', { name: 'Everyone', exact: true }).click();
  await expectCurrent(owner, 'Bob');
  await owner.keyboard.press('j');
  await owner.keyboard.press('k');
  await expectCurrent(owner, 'Bob');
  await owner.keyboard.press('Enter');
  const assignee = owner.getByRole('combobox', { name: 'Assignee' });
  await expectPage(assignee).toHaveValue('admin@firm.example');
  // Through those that wait, oldest first.
  await expectPage(owner.getByRole('button', { name: 'Next' })).toBeEnabled();
  await owner.keyboard.press('j');
  await expectPage(owner.getByRole('heading', { level: 1, name: 'Cleo' })).toBeVisible();
  await expectPage(owner.getByRole('button', { name: 'Next' })).toBeDisabled();
  await owner.getByRole('button', { name: 'Previous' }).click();
  await expectPage(owner.getByRole('heading', { level: 1, name: 'Bob' })).toBeVisible();
  // As in the review, a message says what was done, and `u` undoes it: the focus is not in the field any more.
  const toMe = `Assignee: admin@firm.example → ${firm.owner}`;
  await assignee.click();
  await owner.getByRole('option', { name: firm.owner }).click();
  await expectPage(owner.getByRole('alert').filter({ hasText: 'Assigned to you: Bob.' })).toContainText('Undo');
  await expectPage(owner.getByRole('heading', { level: 2, name: 'Status' })).toBeFocused();
  await expectPage(owner.getByText(toMe)).toBeVisible();
  await owner.keyboard.press('u');
  await expectPage(owner.getByText('Assigned as before: Bob.')).toBeVisible();
  await expectPage(assignee).toHaveValue('admin@firm.example');
  await assignee.click();
  await owner.getByRole('option', { name: firm.owner }).click();
  await expectPage(owner.getByText(toMe)).toHaveCount(2);
  await expectPage(owner.getByText('Assignee: nobody → admin@firm.example')).toBeVisible();

  const viewer = await joinAsViewer(firm);
  await viewer.goto('/production/review');
  await expectCurrent(viewer, 'Bob');
  await viewer.keyboard.press('c');
  await viewer.keyboard.press('j');
  await expectCurrent(viewer, 'Cleo');
  await expectPage(viewer.getByRole('dialog')).toHaveCount(0);
  await expectPage(viewer.getByRole('checkbox')).toHaveCount(0);
  await viewer.keyboard.press('k');
  await expectCurrent(viewer, 'Bob');
  await viewer.keyboard.press('Enter');
  await expectPage(viewer.getByText(firm.owner, { exact: true })).toBeVisible();
  await expectPage(viewer.getByRole('combobox', { name: 'Assignee' })).toHaveCount(0);
});
