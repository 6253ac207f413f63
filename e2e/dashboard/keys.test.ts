import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { Rollcall } from '../../packages/client/src/index.ts';
import { codeAt } from '../../packages/server/src/domain/members/second-factor.ts';
import { exchange, list } from '../api.ts';
import { expectPage } from '../browser.ts';
import { PASSWORD, withStore } from '../test-account.ts';
import { type Firm, forgetPassword, joinAsViewer, openFirm, signedIn, useDashboard } from './firm.ts';
import { problemsOn } from './problems.ts';

useDashboard();

const CREDENTIALS = '/sandbox/settings/api-credentials';
const SECRET = /^rc_sandbox_/;

/** Closes the dialog with a new secret and returns the secret. */
async function takeSecret(page: Page): Promise<string> {
  const secret = await page.locator('pre', { hasText: SECRET }).innerText();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  return secret;
}

async function createKey(page: Page, name: string): Promise<string> {
  await page.goto(CREDENTIALS);
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  return takeSecret(page);
}

async function openKey(page: Page, name: string): Promise<void> {
  await page.goto(CREDENTIALS);
  await page.getByRole('link', { name, exact: true }).click();
  await expectPage(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

async function roll(page: Page, overlap: string): Promise<string> {
  await page.getByRole('button', { name: 'Roll…' }).click();
  await choose(page, 'How long the old secret still works', overlap);
  await page.getByRole('button', { name: 'Roll API key' }).click();
  return takeSecret(page);
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

/** The status with which the sandbox answers the exchange of a secret. */
async function statusOf({ service }: Firm, secret: string): Promise<number> {
  return (await exchange(service.sandbox, secret)).status;
}

test('a key is created with options, wrong ones are explained beside their fields, and the key page shows them', async () => {
  const firm = await openFirm({ clients: 5 });
  const page = await signedIn(firm);
  await page.goto(CREDENTIALS);
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create API key' });
  await dialog.getByLabel('Name').fill('Billing');
  await dialog.getByLabel('Read and change clients').check();
  await choose(page, 'Expiry', 'On a day of your choice');
  await dialog.getByLabel('Last day').fill('2099-01-31');
  await dialog.getByText('More options').click();
  await dialog.getByLabel('Note').fill('Ask the finance team.\nRuns nightly.');
  await dialog.getByLabel('Allowed addresses').fill('10.0.0.0/99');
  await dialog.getByLabel('Rate limit').fill('many');
  await expectPage(dialog).toContainText('Leave it empty for the limit of all keys, which is 100/s,200.');
  await dialog.getByText('More options').click();
  await create.click();
  await expectPage(dialog.getByText('Allowed addresses: "10.0.0.0/99" is not an IP address')).toBeVisible();
  await expectPage(dialog.getByText('Rate limit must be a rate and a burst such as')).toBeVisible();
  await dialog.getByLabel('Allowed addresses').fill('10.0.0.0/8\n127.0.0.1, ::1');
  await dialog.getByLabel('Rate limit').fill('500/s,1000');
  await create.click();
  const secret = await takeSecret(page);

  const { data } = await exchange(firm.service.sandbox, secret);
  expect(await list(firm.service.sandbox, data.access_token)).toMatchObject({ status: 200, data: { total_count: 5 } });
  await openKey(page, 'Billing');
  // The service stores what keys have asked for every few seconds. Opening the page until it has takes much longer than asking.
  const keyId = new URL(page.url()).pathname.split('/').at(-1);
  const details = async () => (await page.request.get(`/console/sandbox/keys/${keyId}`)).json();
  await expect.poll(async () => (await details()).data.listings, { interval: 250 }).not.toEqual([]);
  await page.reload();
  await expectPage(page.getByRole('cell', { name: 'Lists of all clients' })).toBeVisible();
  const facts = page.locator('dl');
  await expectPage(facts).toContainText('Read and change clients');
  await expectPage(facts).toContainText('Jan 31, 2099');
  await expectPage(facts).toContainText('10.0.0.0/8');
  await expectPage(facts).toContainText('500 per second, up to 1,000 at once');
  await expectPage(facts).toContainText('Runs nightly.');
  await expectPage(page.locator('pre', { hasText: 'YOUR_SECRET' })).toBeVisible();
  expect(await page.content()).not.toContain(secret);
});

test('the dialog with a secret keeps the focus and stays open after Esc and Back, and the list knows of calls made meanwhile', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  await page.goto('/sandbox/overview');
  await page.getByRole('link', { name: 'API keys', exact: true }).first().click();
  const open = page.getByRole('button', { name: 'Create API key' }).first();
  await open.press('Enter');
  await page.keyboard.press('Escape');
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  await expectPage(open).toBeFocused();
  await open.press('Enter');
  await page.getByLabel('Name').fill('Billing');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'API key “Billing” created' });
  await expectPage(dialog.getByRole('button', { name: 'Copy' }).first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expectPage(dialog.getByText('This stays open, because it cannot be shown again.')).toBeVisible();
  await page.goBack();
  await expectPage(dialog.locator('pre', { hasText: SECRET }), 'also after Back').toBeVisible();
  expect(new URL(page.url()).pathname).toBe(CREDENTIALS);
  expect(await problemsOn(page)).toEqual([]);

  const secret = await dialog.locator('pre', { hasText: SECRET }).innerText();
  const { data } = await exchange(firm.service.sandbox, secret);
  expect((await list(firm.service.sandbox, data.access_token)).status).toBe(200);
  await expectPage(async () => {
    const { keys } = (await (await page.request.get('/console/sandbox/keys')).json()).data;
    expect(keys.find(({ name }: { name: string }) => name === 'Billing').recent_calls).toBeGreaterThan(0);
  }).toPass();
  await dialog.getByRole('button', { name: 'I have copied it' }).press('Enter');
  await expectPage(dialog).toHaveCount(0);
  await expectPage(open).toBeFocused();
  const row = page.getByRole('row').filter({ hasText: 'Billing' });
  await expectPage(row.getByText('never')).toHaveCount(0);
  await expectPage(row.getByRole('cell', { name: /^[1-9]/ })).toBeVisible();
});

test('a key is read-only unless another access is chosen, and a name is enough to create it', async () => {
  const firm = await openFirm({ clients: 1 });
  const page = await signedIn(firm);
  await createKey(page, 'Reader');
  await openKey(page, 'Reader');
  await expectPage(page.locator('dl')).toContainText('Read clients');
  await expectPage(page.locator('dl')).not.toContainText('change clients');
  await expectPage(page.locator('dl')).toContainText('100 per second, up to 200 at once (the limit of all keys)');

  await page.getByRole('link', { name: '← All API keys' }).click();
  await page.getByRole('link', { name: 'test', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Renamed');
  await page.evaluate('history.go(-2)');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Reader' })).toBeVisible();
  await expectPage(page.getByRole('dialog'), 'what was typed for another key').toHaveCount(0);
});

test('after rolling, both secrets work until the old one is ended, and none after the key is revoked', async () => {
  const firm = await openFirm({ clients: 1 });
  const page = await signedIn(firm);
  const first = await createKey(page, 'Billing');
  const { data } = await exchange(firm.service.sandbox, first);
  await openKey(page, 'Billing');
  const second = await roll(page, '24 hours');
  expect(second).not.toBe(first);
  await expectPage(page.getByText('Rolling', { exact: true })).toBeVisible();
  expect([await statusOf(firm, first), await statusOf(firm, second)]).toEqual([200, 200]);

  await page.getByRole('button', { name: /^End the old secret/ }).click();
  await page.getByRole('button', { name: 'End old secret' }).click();
  await expectPage(page.getByText('Active', { exact: true })).toBeVisible();
  expect([await statusOf(firm, first), await statusOf(firm, second)]).toEqual([401, 200]);
  expect((await list(firm.service.sandbox, data.access_token)).status).toBe(401);

  await page.getByRole('button', { name: 'Revoke…' }).click();
  await page.getByLabel('Type Billing to confirm').fill('Billing');
  await page.getByRole('button', { name: 'Revoke API key' }).click();
  await expectPage(page.getByText('Revoked', { exact: true }).first()).toBeVisible();
  await expectPage(page.getByText(/^Last secret, worked until/)).toBeVisible();
  await expectPage(page.getByText(/^Current secret/)).toHaveCount(0);
  expect(await statusOf(firm, second)).toBe(401);
  await expectPage(page.getByRole('button', { name: /Edit|Roll…|Revoke…|End/ })).toHaveCount(0);

  await page.goto('/sandbox/settings/activity');
  for (const sentence of ['Rolled API key', 'Ended the old secret of API key', 'Revoked API key']) {
    await expectPage(page.getByText(new RegExp(`^${sentence} “Billing” \\(`))).toBeVisible();
  }
  await page
    .getByRole('row', { name: /Rolled API key/ })
    .getByRole('link')
    .click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible();
});

test('rolling at once ends the old secret, and rolling again warns which secret ends', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  const first = await createKey(page, 'Billing');
  await openKey(page, 'Billing');
  const second = await roll(page, 'It stops working at once');
  expect([await statusOf(firm, first), await statusOf(firm, second)]).toEqual([401, 200]);
  const third = await roll(page, '7 days');
  await page.getByRole('button', { name: 'Roll…' }).click();
  await expectPage(page.getByRole('dialog').getByText('This key is already being rolled')).toBeVisible();
  await expectPage(page.getByRole('dialog')).toContainText(`${second.slice(-4)}, stops working at once`);
  await page.getByRole('button', { name: 'Roll API key' }).click();
  await expectPage(page.getByRole('dialog')).toContainText(`${second.slice(-4)}, has stopped working`);
  const fourth = await takeSecret(page);
  expect(await Promise.all([second, third, fourth].map((secret) => statusOf(firm, secret)))).toEqual([401, 200, 200]);
});

test('a new secret whose answer was lost is seen before the key is rolled again', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  const first = await createKey(page, 'Billing');
  await openKey(page, 'Billing');
  await page.route('**/roll', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Roll…' }).click();
  await page.getByRole('button', { name: 'Roll API key' }).click();
  await expectPage(page.getByRole('alert')).toContainText('Rollcall cannot be reached');
  await expectPage(page.getByRole('dialog')).toContainText(`${first.slice(-4)}, stops working at once`);
  expect(await statusOf(firm, first)).toBe(200);
});

test('a stray key press does not close the dialog while the secret is being made or shown', async () => {
  const page = await signedIn(await openFirm());
  await page.goto(CREDENTIALS);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/console/sandbox/keys', async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByLabel('Name').fill('Billing');
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  await page.keyboard.press('Escape');
  release();
  await expectPage(page.locator('pre', { hasText: SECRET })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect(await takeSecret(page)).toMatch(SECRET);
});

test('an edit changes what was edited and keeps what somebody else has changed meanwhile', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  const secret = await createKey(page, 'Billing');
  await openKey(page, 'Billing');
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await expectPage(dialog).toBeVisible();

  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Edit' }).click();
  await other.getByLabel('Note').fill('Ask the finance team.');
  await other.getByRole('button', { name: 'Save' }).click();
  await expectPage(other.locator('dl')).toContainText('Ask the finance team.');

  await dialog.getByLabel('Name').fill('Invoices');
  await dialog.getByLabel('Allowed addresses').fill('10.0.0.0/8');
  await choose(page, 'Expiry', 'In 90 days');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectPage(page.getByRole('alert')).toHaveText('The changes to “Invoices” were saved.');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible();
  await expectPage(page.locator('dl')).toContainText('Ask the finance team.');
  expect(await statusOf(firm, secret)).toBe(401);
  await page.goto('/sandbox/settings/activity');
  await expectPage(
    page.getByText(/^Changed the name, allowed addresses and expiry of API key “Invoices” \(/),
  ).toBeVisible();
});

test('what a program has done is shown with the name of its API key, found by that, and leads to the key', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  await page.goto(CREDENTIALS);
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await page.getByLabel('Name').fill('Billing, nightly');
  await page.getByLabel('Read and change clients').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  const program = new Rollcall({ baseUrl: firm.service.sandbox, apiKey: await takeSecret(page) });
  const file = 'email,client_name,client_type,group_name\nann@mail.example,Ann Bell,company,North\n';
  await program.imports.wait(await program.imports.create(file, { fileName: 'new.csv' }));
  await openKey(page, 'Billing, nightly');
  const keyId = page.url().split('/').at(-1) ?? '';

  await page.goto('/production/settings/activity');
  const imported = page.getByRole('row', { name: /Imported 1 client from/ });
  const key = page.getByRole('link', { name: 'API key “Billing, nightly”', exact: true });
  await expectPage(imported.getByRole('link', { name: 'API key “Billing, nightly”' })).toHaveAttribute('title', keyId);
  await page.getByRole('combobox', { name: 'Member' }).click();
  await page.getByRole('option', { name: 'API key “Billing, nightly”' }).click();
  await expectPage(page.getByText('1 entry', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByPlaceholder('Name, email, ID, reason or IP address').fill('nightly');
  await expectPage(page.getByText('2 entries', { exact: true })).toBeVisible();
  await imported.getByRole('link', { name: '“new.csv”' }).click();
  await expectPage(page.locator('dl')).toContainText('Started by');
  await expectPage(key).toHaveAttribute('title', keyId);
  await page.goto('/sandbox/import');
  await expectPage(key).toBeVisible();
  await page.goto('/sandbox/clients');
  await page.getByRole('link', { name: 'Ann Bell' }).click();
  await key.click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Billing, nightly' })).toBeVisible();

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Invoices');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible();
  await page.goto('/sandbox/settings/activity?search=nightly');
  await expectPage(page.getByText('Name: Billing, nightly → Invoices')).toBeVisible();
});

test('rolling asks for a password that was not entered recently, and without it changes nothing and loses nothing', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  await createKey(page, 'Billing');
  await openKey(page, 'Billing');
  await forgetPassword(firm, page);
  await page.getByRole('button', { name: 'Roll…' }).click();
  await page.getByRole('button', { name: 'Roll API key' }).click();
  const prompt = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await prompt.getByRole('textbox', { name: 'Password' }).press('Escape');
  await expectPage(prompt).toHaveCount(0);
  await expectPage(page.getByRole('alert')).toContainText(
    'Nothing was changed, because you have not confirmed that it is you.',
  );
  await expectPage(page.getByText(/^Current secret, created/)).toHaveCount(1);
  await expectPage(page.getByText(/^Old secret/)).toHaveCount(0);

  await page.getByRole('button', { name: 'Roll API key' }).click();
  await prompt.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await prompt.getByRole('button', { name: 'Continue' }).click();
  expect(await statusOf(firm, await takeSecret(page))).toBe(200);
  await expectPage(page.getByText(/^Old secret, works until/)).toHaveCount(1);
});

/** Runs in the page: how much wider the content of the dialog is than the dialog. */
const HIDDEN_WIDTH = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('[role=dialog]'))`;

test('the longest name of a key without a space fits on a phone', async () => {
  const page = await signedIn(await openFirm(), { viewport: { width: 390, height: 844 } });
  const name = 'W'.repeat(120);
  await createKey(page, name);
  const pageWidth = () => page.evaluate('document.documentElement.scrollWidth');
  expect(await pageWidth()).toBe(390);
  await openKey(page, name);
  expect(await pageWidth()).toBe(390);
  for (const action of ['Roll…', 'Revoke…']) {
    await page.getByRole('button', { name: action }).click();
    const dialog = page.getByRole('dialog');
    await expectPage(dialog).toBeVisible();
    expect(await page.evaluate(HIDDEN_WIDTH), action).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expectPage(dialog).toHaveCount(0);
  }
});

test('on a phone, the button below a new secret is in sight, and the columns of the activity do not overlap', async () => {
  const page = await signedIn(await openFirm(), { viewport: { width: 390, height: 844 } });
  await createKey(page, 'Billing');
  await openKey(page, 'Billing');
  await page.getByRole('button', { name: 'Roll…' }).click();
  await page.getByRole('button', { name: 'Roll API key' }).click();
  await expectPage(page.getByRole('button', { name: 'I have copied it' })).toBeInViewport({ ratio: 1 });
  await takeSecret(page);

  await page.goto('/sandbox/settings/activity');
  const entry = page.getByRole('row', { name: /Rolled API key/ });
  const time = await entry.locator('time').boundingBox();
  const address = await entry.locator('[data-label="IP address"]').boundingBox();
  if (!time || !address) throw new Error('The time or the address is not shown.');
  expect(time.x + time.width < address.x || time.y + time.height <= address.y).toBe(true);
});

test('the calls of a key appear in its chart, and the table says the same', async () => {
  const firm = await openFirm({ clients: 1 });
  const page = await signedIn(firm);
  await createKey(page, 'Billing');
  await openKey(page, 'Billing');
  await expectPage(page.getByText(/^No calls since/)).toBeVisible();
  const keyId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await withStore(firm.program, async (store) => {
    const workspaceId = (await store.keys.workspaceOf(keyId)) ?? 0;
    const now = Date.now();
    const used = { workspaceId, keyId, failed: 0, limited: 0, lastUsedAt: now, lastUsedFrom: '127.0.0.1' };
    const hour = Math.floor(now / 3_600_000);
    const uses = [
      { ...used, hour, calls: 1200 },
      { ...used, hour: hour - 100, calls: 34 },
    ];
    await store.keyUsage.add(uses);
    await store.keyUsage.moveLastUse(uses);
  });
  await page.reload();
  await expectPage(page.getByText(/^1,200 calls since/)).toBeVisible();
  await expectPage(page.getByText('1,500', { exact: true })).toBeVisible();
  await expectPage(page.locator('.columns i')).toHaveCount(1);
  await expectPage(page.locator('dl')).toContainText('from this machine');
  await expectPage(page.getByTitle('127.0.0.1')).toHaveText('this machine');
  await page.getByText('30 days', { exact: true }).click();
  await expectPage(page.getByText(/^1,234 calls since/)).toBeVisible();
  await page.getByText('Show as a table').click();
  await expectPage(page.getByRole('cell', { name: '34', exact: true })).toBeVisible();
});

test('a viewer sees a key with its secrets and calls, and is offered no change', async () => {
  const firm = await openFirm({ clients: 1 });
  const owner = await signedIn(firm);
  await createKey(owner, 'Billing');
  await openKey(owner, 'Billing');
  await roll(owner, '7 days');
  const viewer = await joinAsViewer(firm);

  await openKey(viewer, 'Billing');
  await expectPage(viewer.getByText(/^Old secret, works until/)).toBeVisible();
  await expectPage(viewer.getByRole('heading', { name: 'Try it' })).toBeVisible();
  await expectPage(viewer.getByRole('button', { name: /Edit|Roll|Revoke|End|Create/ })).toHaveCount(0);
});

test('the page of a key leads to the list in the other environment, where the key does not exist', async () => {
  const page = await signedIn(await openFirm());
  await createKey(page, 'Billing');
  await openKey(page, 'Billing');
  await page.goto(page.url().replace('/sandbox/', '/production/'));
  await expectPage(page.getByRole('heading', { level: 1, name: 'API key not found' })).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Environment' }).getByText('Sandbox').click();
  await page.waitForURL(`**${CREDENTIALS}`);
  await expectPage(page.getByRole('link', { name: 'Billing' })).toBeVisible();
});

test('a member with a second factor is asked for a code, and the page goes on with the new token', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  const headers = { origin: firm.service.dashboard };
  const offered = await (await page.request.post('/console/profile/second-factor', { headers })).json();
  const data = { code: codeAt(offered.data.secret, Date.now()) };
  const confirmed = await (await page.request.put('/console/profile/second-factor', { headers, data })).json();
  await forgetPassword(firm, page);
  const before = await page.context().cookies();

  await page.goto(CREDENTIALS);
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await page.getByLabel('Name').fill('Guarded');
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  const prompt = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expectPage(prompt.getByLabel('Password')).toHaveCount(0);
  await expectPage(prompt).toContainText('Enter a code from your authenticator app to create an API key.');
  await prompt.getByLabel('One-time code').fill('000000');
  await prompt.getByRole('button', { name: 'Continue' }).click();
  await expectPage(prompt.getByRole('alert')).toContainText('Code is not correct, or was used before');
  await prompt.getByLabel('One-time code').fill(confirmed.data.recovery_codes[0]);
  await prompt.getByRole('button', { name: 'Continue' }).click();
  expect(await statusOf(firm, await takeSecret(page))).toBe(200);
  expect(await page.context().cookies()).not.toEqual(before);
});
