import { expect, test } from 'vitest';
import { expectPage } from '../browser.ts';
import { openFirm, signedIn, useDashboard } from './firm.ts';

useDashboard();

test('the environment is part of the address, and everything on the page belongs to it', async () => {
  const page = await signedIn(await openFirm({ clients: 12 }));
  await page.goto('/production/clients');
  await expectPage(page.getByText('No clients yet')).toBeVisible();
  const imports = page.getByRole('main').getByRole('link', { name: 'Import' });
  await expectPage(imports, 'above the list and within it').toHaveCount(2);
  await expectPage(page.getByRole('button', { name: 'Export CSV' })).toHaveCount(0);
  await expectPage(page.getByLabel('Clients per page')).toHaveCount(0);
  await page.getByText('Sandbox', { exact: true }).click();
  await page.waitForURL('**/sandbox/clients');
  await expectPage(page.getByText('Clients, groups and API keys here are separate from production')).toBeVisible();
  await expectPage(page.getByText('12 clients')).toBeVisible();
  // What was typed for one environment is not added to the other one.
  await page.getByRole('button', { name: 'Add client' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('A test');
  await page.goBack();
  await expectPage(page.getByText('No clients yet')).toBeVisible();
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  await page.goForward();
  await page.getByRole('link', { name: /^Completed/ }).click();
  await expectPage(page.locator('.row').first()).toBeVisible();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/console\/production\/client/, async (route) => {
    await released;
    await route.continue();
  });
  await page.getByText('Production', { exact: true }).click();
  await page.waitForURL('**/production/clients?status=completed');
  await expectPage(page.locator('[aria-busy=true]')).toHaveCount(1);
  expect(await page.locator('.row').count(), 'rows of the sandbox in production').toBe(0);
  await expectPage(page.getByRole('link', { name: 'All 0' })).toBeVisible();
  release();
  await expectPage(page.getByText('No clients found')).toBeVisible();
  await page.getByText('Sandbox', { exact: true }).click();
  await page.waitForURL('**/sandbox/clients?status=completed');
  await page.goto('/');
  await page.waitForURL('**/sandbox/overview');
});

test('a double click on a status, or a key that is held, takes one step, and a new group or an email in use is announced while it is typed', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  await page.goto('/production/clients');
  const add = async (name: string, group: string) => {
    await page.getByRole('button', { name: 'Add client' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add client' });
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Email', { exact: true }).fill(`${name.toLowerCase()}@mail.example`);
    await dialog.getByLabel('Group', { exact: true }).fill(group);
    return dialog;
  };
  await (await add('Ada', 'Süd')).getByRole('button', { name: 'Add client' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Ada' })).toBeVisible();
  await page.getByRole('button', { name: 'Mark as accepted' }).focus();
  for (let repeats = 0; repeats < 20; repeats++) await page.keyboard.down('Enter');
  await expectPage(page.getByText('Request status: Requested → Accepted')).toBeVisible();
  for (let repeats = 0; repeats < 20; repeats++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expectPage(page.getByRole('button', { name: 'Mark as pending' })).toBeEnabled();
  await expectPage(page.getByText('Request status: Accepted → Pending')).toHaveCount(0);
  await page.getByRole('button', { name: 'Mark as pending' }).dblclick();
  await expectPage(page.getByText('Request status: Accepted → Pending')).toBeVisible();
  await expectPage(page.getByRole('button', { name: 'Complete' })).toBeEnabled();
  await expectPage(page.getByText('Request status: Pending → Completed')).toHaveCount(0);

  await page.goto('/production/clients');
  const dialog = await add('Bo', 'Sud');
  await expectPage(dialog.getByText('There is no group “Sud” yet. It will be created.')).toBeVisible();
  await dialog.getByLabel('Group', { exact: true }).fill('süd');
  await expectPage(dialog.getByText('There is no group')).toHaveCount(0);
  await dialog.getByLabel('Email', { exact: true }).fill('ADA@mail.example');
  await expectPage(dialog.getByText('Ada in the group “Süd” has this email already.')).toBeVisible();
});

test('an environment without clients points to the other one if that has clients, and to the samples of the sandbox', async () => {
  const page = await signedIn(await openFirm({ clients: 3 }));
  for (const path of ['overview', 'clients']) {
    await page.goto(`/production/${path}`);
    await expectPage(page.getByText('This account has clients in the sandbox.')).toBeVisible();
    await page.getByRole('link', { name: 'Switch to sandbox' }).click();
    await page.waitForURL(`**/sandbox/${path}`);
  }
  const empty = await signedIn(await openFirm());
  await empty.goto('/production/overview');
  await expectPage(empty.getByText('First steps in production')).toBeVisible();
  await expectPage(empty.getByText('you can add sample clients in the sandbox')).toBeVisible();
  await expectPage(empty.getByText('This account has clients')).toHaveCount(0);
  await empty.getByRole('link', { name: 'Switch to sandbox' }).click();
  await expectPage(empty.getByRole('button', { name: 'Add sample clients' })).toBeVisible();
});

test('filters and page are part of the address, which shows the same in a second browser', async () => {
  const firm = await openFirm({ clients: 120 });
  const page = await signedIn(firm);
  await page.goto('/sandbox/clients?size=10');
  await page
    .getByRole('navigation', { name: 'Request status' })
    .getByRole('link', { name: /^Completed/ })
    .click();
  await page.waitForURL(/status=completed/);
  await expectPage(page.getByText('Request status: Completed')).toBeVisible();
  await expectPage(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  await page.waitForURL(/page=2/);
  // The page number changes together with the rows, but after the address.
  await expectPage(page.getByRole('button', { name: 'Page 2', exact: true })).toHaveAttribute('aria-current', 'page');
  const names = await page.locator('.row-link').allInnerTexts();
  expect(names).toHaveLength(10);

  const other = await signedIn(firm);
  await other.goto(page.url());
  await expectPage(other.locator('.row-link')).toHaveText(names);

  await other.getByLabel('Search by words of the name, email or IDs').fill(names[0]?.slice(0, 4).toUpperCase() ?? '');
  await other.waitForURL(/search=/);
  await expectPage(other.locator('.row-link').first()).toContainText(names[0]?.slice(0, 4) ?? '');
  await other.getByRole('button', { name: 'Remove Request status: Completed' }).click();
  await other.waitForURL((url) => !url.search.includes('status'));
});

test('a search of several words can be typed with pauses, and letters that follow quickly are kept', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/clients');
  const field = page.getByLabel('Search by words of the name, email or IDs');
  await field.pressSequentially('okafor ');
  await page.waitForURL(/search=okafor$/);
  await expectPage(field).toHaveValue('okafor ');
  await field.pressSequentially('fat');
  await page.waitForURL(/search=okafor(\+|%20)fat$/);
  await expectPage(field).toHaveValue('okafor fat');
  await page.goBack();
  await expectPage(field).not.toHaveValue('okafor fat');
});

test('a page whose question is never answered asks again', async () => {
  const page = await signedIn(await openFirm({ clients: 3 }), {});
  await page.addInitScript(() => {
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (milliseconds) => timeout.call(AbortSignal, milliseconds / 100);
  });
  let questions = 0;
  await page.route(/\/console\/sandbox\/clients\?/, async (route) => {
    if (++questions > 1) await route.continue();
  });

  await page.goto('/sandbox/clients');

  await expectPage(page.getByText('3 clients')).toBeVisible();
  expect(questions).toBeGreaterThan(1);
});

test('only allowed statuses are offered, the history shows each change, and a change by somebody else is reported', async () => {
  const firm = await openFirm();
  const { program, owner } = firm;
  const where = ['--account', owner, '--environment', 'production'];
  const page = await signedIn(firm);
  await page.goto('/production/clients');
  await page.getByRole('button', { name: 'Add client' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Okafor');
  await page.getByLabel('Email', { exact: true }).fill('ada@mail.example');
  await page.getByRole('dialog').getByLabel('Group', { exact: true }).fill('Retail');
  await page.getByRole('dialog').getByRole('button', { name: 'Add client' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Ada Okafor' })).toBeVisible();
  await expectPage(page.getByText('“Mark as accepted” cannot be undone.')).toBeVisible();

  await expectPage(page.getByRole('button', { name: 'Complete' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Mark as accepted' }).press('Enter');
  await expectPage(page.getByText('Accepted: Ada Okafor. This cannot be undone.')).toBeVisible();
  await expectPage(page.getByRole('heading', { level: 2, name: 'Status' })).toBeFocused();
  await expectPage(page.getByText('Request status: Requested → Accepted')).toBeVisible();
  await expectPage(page.getByRole('listitem').filter({ hasText: owner })).toHaveCount(2);

  const referenceId = page.url().split('/').at(-1) ?? '';
  const moved = await program.run(['client', 'set-status', referenceId, 'pending', ...where]);
  expect(moved.stderr).toBe('');
  await page.getByRole('button', { name: 'Decline' }).click();
  const asked = page.getByRole('dialog', { name: 'Decline Ada Okafor?' });
  await expectPage(asked).toContainText('This cannot be undone: a client that is Declined can only become Requested.');
  await asked.getByLabel('Reason').press('Control+Enter');
  await expectPage(page.getByText('Somebody else has changed this client in the meantime')).toBeVisible();
  const change = page.getByRole('listitem').filter({ hasText: 'Request status: Accepted → Pending' });
  await expectPage(change).toContainText('Command line');

  for (const [button, message] of [
    ['Complete', 'Completed: Ada Okafor.'],
    ['Deactivate', 'Deactivated: Ada Okafor.'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await expectPage(page.getByRole('alert').filter({ hasText: message })).toContainText('Undo');
    await page.keyboard.press('u');
    await expectPage(page.getByText('Put back: Ada Okafor.')).toBeVisible();
    await expectPage(page.getByRole('button', { name: button })).toBeEnabled();
  }
  await page.getByRole('button', { name: 'Erase client…' }).click();
  const erase = page.getByRole('dialog', { name: 'Erase this client?' });
  await expectPage(erase).toContainText('The saved views that are about this client are deleted, too');
  // No key does it before the email was typed.
  for (const key of ['Enter', 'Control+Enter']) await page.keyboard.press(key);
  await expectPage(erase.getByRole('button', { name: 'Erase client' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expectPage(erase).toHaveCount(0);
  // What is left to do after a client was completed is no usual next step.
  const looks = (name: string) => page.getByRole('button', { name }).getAttribute('data-variant');
  expect(await looks('Complete')).toBe('filled');
  await page.getByRole('button', { name: 'Complete' }).click();
  await expectPage(page.getByRole('button', { name: 'Mark as pending' })).toBeVisible();
  expect(await looks('Mark as pending')).toBe('default');
  await expectPage(page.getByRole('alert').filter({ hasText: 'Completed: Ada Okafor.' })).toContainText('Undo');
  await page.keyboard.press('u');
  await expectPage(page.getByText('Put back: Ada Okafor.')).toBeVisible();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expectPage(page.getByText('Deactivated: Ada Okafor.')).toBeVisible();
  await page.getByRole('link', { name: '← Clients' }).click();
  await expectPage(page.getByRole('row', { name: 'Ada Okafor Inactive' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select Ada Okafor' }).check();
  await page.getByRole('combobox', { name: 'Set request status of the selected clients' }).click();
  await expectPage(page.getByRole('option')).toHaveText(['Completed', 'Declined']);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Ada Okafor' }).click();
  await page.getByRole('button', { name: 'Erase client…' }).click();
  await erase.getByRole('textbox').fill((await erase.locator('label b').textContent()) ?? '');
  await page.keyboard.press('Enter');
  await expectPage(page.getByText('The client was erased.')).toBeVisible();
  await expectPage(page.getByRole('link', { name: 'Ada Okafor' })).toHaveCount(0);
});

test('a client can be given the ID of another system, which no other client may have, and inactive clients can be listed', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  const add = async (name: string, externalId: string) => {
    await page.goto('/production/clients');
    await page.getByRole('button', { name: 'Add client' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Email', { exact: true }).fill(`${name}@mail.example`);
    await dialog.getByLabel('Group', { exact: true }).fill('Retail');
    await dialog.getByLabel('External ID (optional)').fill(externalId);
    await dialog.getByRole('button', { name: 'Add client' }).click();
  };
  await add('Ada', 'CRM 1815');
  await expectPage(page.getByText('CRM 1815')).toBeVisible();
  const edit = page.getByRole('button', { name: 'Edit' });
  await edit.press('Enter');
  await expectPage(page.getByRole('dialog').getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expectPage(page.getByRole('dialog')).toHaveCount(0);
  await expectPage(edit).toBeFocused();
  await edit.press('Enter');
  await page.getByRole('dialog').getByLabel('External ID (optional)').fill('CRM 7');
  await page.keyboard.press('Enter');
  await expectPage(page.getByText('The changes to “Ada” were saved.')).toBeVisible();
  await expectPage(edit).toBeFocused();
  await expectPage(page.getByText('External ID: CRM 1815 → CRM 7')).toBeVisible();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expectPage(page.getByText('Client status: Active → Inactive')).toBeVisible();

  await add('Bob', 'CRM 7');
  await expectPage(page.getByText('External ID already belongs to another client')).toBeVisible();
  await add('Bob', '');
  await page.goto('/production/clients');
  await page.getByRole('combobox', { name: 'Client status', exact: true }).click();
  await page.getByRole('option', { name: 'Inactive' }).click();
  await page.waitForURL(/active=inactive/);
  await expectPage(page.getByText('Client status: Inactive')).toBeVisible();
  await expectPage(page.locator('.row-link')).toHaveText(['Ada']);
});

test('the keyboard goes on where a page opens, and where what it was on has gone', async () => {
  const page = await signedIn(await openFirm(), { viewport: { width: 390, height: 844 } });
  await page.goto('/sandbox/import');
  const rows = [
    'email,client_name,client_type,group_name',
    'bundesverwaltungsamt@soehne.example,Ada,company,North',
    'bea@mail.example,Bea,company,North,South',
  ];
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'two.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) });
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await page.getByRole('button', { name: 'Use these values, Line 3' }).press('Enter');
  await expectPage(page.getByLabel('Email, Line 3')).toBeFocused();
  await page.getByRole('link', { name: 'Ada' }).press('Enter');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Ada' })).toBeFocused();
  await page.getByRole('link', { name: '← Import' }).press('Enter');
  await expectPage(page.getByRole('heading', { level: 1, name: 'two.csv' })).toBeFocused();

  await page.goto('/sandbox/clients');
  await expectPage(page.getByText('bundesverwaltungsamt@soehne.example')).toBeVisible();
  // An email that is too long for its line is broken before its domain, and not within a word.
  const linesOfDomain = `(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector('.row-text').lastChild);
    return range.toString() + ' ' + range.getClientRects().length;
  })()`;
  expect(await page.evaluate(linesOfDomain)).toBe('@soehne.example 1');
});

test('a client that does not exist is reported as such', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/production/clients/1-0001');
  await expectPage(page.getByRole('heading', { level: 1, name: 'Client not found' })).toBeVisible();
  await expectPage(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
});

test('a corrected time of addition is shown in the history as a time, on the page and on the command line', async () => {
  const firm = await openFirm();
  const where = ['--account', firm.owner, '--environment', 'production'];
  const importWith = (createdAt: string) =>
    firm.program.json(
      ['import', '-', ...where, '--format', 'csv'],
      `email,client_name,client_type,group_name,reference_id,created_at\nada@mail.example,Ada,company,Retail,1-0001,${createdAt}\n`,
    );
  await importWith('2025-05-01T08:00:00Z');
  await importWith('2025-06-30T17:45:10Z');

  const { stdout } = await firm.program.run(['client', 'show', '1-0001', ...where]);
  expect(stdout).toContain('created_at 2025-05-01T08:00:00.000Z → 2025-06-30T17:45:10.000Z');
  const shown = await firm.program.json(['client', 'show', '1-0001', ...where]);
  expect(shown).toMatchObject({ history: [{}, { to: { created_at: '2025-06-30T17:45:10.000Z' } }] });

  const page = await signedIn(firm, { locale: 'en-GB', timezoneId: 'Europe/Zurich' });
  await page.goto('/production/clients/1-0001');
  await expectPage(page.getByText('Added: 1 May 2025, 10:00:00 → 30 Jun 2025, 19:45:10')).toBeVisible();
  await expectPage(page.getByRole('listitem').filter({ hasText: 'Imported from “stdin”' })).toHaveCount(2);
});

test('many clients are changed at once, and those that cannot be changed are counted before, with the reason', async () => {
  const page = await signedIn(await openFirm({ clients: 30 }));
  await page.goto('/sandbox/clients?size=10');
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('combobox', { name: 'Set request status of the selected clients' }).click();
  await page.getByRole('option', { name: 'Pending' }).click();
  const dialog = page.getByRole('dialog', { name: /^Change \d+ clients? to Pending\?$/ });
  await expectPage(dialog.getByText(/and cannot become Pending\.$/).first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expectPage(page.getByText('10 selected')).toBeVisible();
  await page.getByRole('combobox', { name: 'Set request status of the selected clients' }).click();
  await page.getByRole('option', { name: 'Pending' }).click();
  await dialog.getByLabel('Reason').fill('Documents arrived');
  await dialog.getByRole('button', { name: /^Change \d+ clients?$/ }).click();
  await expectPage(page.getByText(/^\d+ clients? changed to Pending\. \d+ not changed\.$/)).toBeVisible();

  // Also all that match are only a few here: it is over before anybody could leave the page.
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Select all 30 that match' }).click();
  await expectPage(page.getByRole('region', { name: 'Selected clients' })).toBeFocused();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  const few = page.getByRole('dialog', { name: /^Deactivate \d+ clients\?$/ });
  await expectPage(few.getByText(/, .+ and \d+ others$/)).toBeVisible();
  await expectPage(few.getByText('in the background')).toHaveCount(0);
  await few.getByRole('button', { name: /^Deactivate/ }).click();
  await expectPage(page.getByText(/^\d+ clients deactivated\. \d+ already (was|were) inactive\./)).toBeVisible();
});
