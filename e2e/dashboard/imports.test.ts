import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import { aWorkbook } from '../../packages/server/src/testing/workbook.ts';
import { expectPage } from '../browser.ts';
import { joinAsViewer, openFirm, signedIn, useDashboard } from './firm.ts';
import { problemsOn } from './problems.ts';

useDashboard();

const HEADER = 'email,client_name,client_type,group_name';

const fileOf = (content: string | Uint8Array, name = 'clients.csv') => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

async function choose(page: Page, content: string | Uint8Array, name?: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(fileOf(content, name));
}

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `c${index}@mail.example,Client ${index},company,Group`);

/** Whether anything is wider than the window. */
const isCutOff = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth');

const MESSY = [
  'Full name;E-Mail;Kind;Desk;Notes;Since',
  'Ada Okafor;ada@mail.example;individual;North;;2026-02-16',
  'Bo King;bo at mail.example;individual;North;calls on Mondays;',
  'Cy Ltd;cy@mail.example;firm;North;;',
  'Dee & Sons;dee@mail.example;company;;;31.02.2026',
].join('\n');

test('a messy file is imported by choosing its columns, its rejected rows are corrected, and all of it is there afterwards', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  await page.goto('/sandbox/import');
  const entry = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Import' });
  await expectPage(entry).toHaveAttribute('data-status', 'active');
  await entry.focus();
  await expectPage(entry, 'its outline is not cut off').toHaveCSS('outline-offset', '-2px');
  await choose(page, MESSY, 'messy.csv');
  await expectPage(page.getByLabel('Import Full name as')).toHaveValue('client_name');
  await expectPage(page.getByLabel('Import E-Mail as')).toHaveValue('email');
  await expectPage(page.getByLabel('Import Kind as')).toHaveValue('client_type');
  await expectPage(page.getByLabel('Import Notes as')).toHaveValue('');
  await expectPage(
    page.getByText('Choose which column of the file is the group, or choose one for all rows.'),
  ).toBeVisible();
  await expectPage(page.getByRole('button', { name: 'Import 4 rows' })).toBeDisabled();
  await page.getByRole('button', { name: 'the group' }).click();
  await expectPage(page.getByRole('region', { name: 'For all rows' }).getByLabel('Group')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByLabel('Import Desk as').selectOption('Group');
  await page.getByLabel('Import Since as').selectOption('Added');
  await expectPage(page.getByText('1 column is left out: Notes.')).toBeVisible();
  await expectPage(page.getByText('Of the first 4 rows, 3 would be rejected')).toBeVisible();
  await expectPage(page.getByText('Line 4: Client type must be one of individual, company')).toBeVisible();
  for (const width of [820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await isCutOff(page), `columns at ${width} px`).toBe(false);
  }
  expect(await problemsOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Import 4 rows' }).click();
  await expectPage(page.getByText('Import finished')).toBeVisible();
  await expectPage(page.getByRole('heading', { level: 2, name: 'messy.csv' })).toBeFocused();
  await expectPage(page.getByText('1 added, 0 updated, 0 unchanged, 3 rejected.').first()).toBeVisible();

  // A row tells all that is wrong with it.
  await expectPage(
    page.getByText('Line 5: Group must not be empty; added must be a date such as 2026-01-31'),
  ).toContainText('not “31.02.2026”, and there is no such day');
  for (const cell of ['Group, Line 5', 'Added, Line 5']) {
    await expectPage(page.getByLabel(cell)).toHaveAttribute('aria-invalid', 'true');
  }
  await page.getByLabel('Email, Line 3').fill('bo@mail.example');
  await page.getByLabel('Client type, Line 4').selectOption('Company');
  await page.getByLabel('Group, Line 5').fill('South');
  // One of its two mistakes is still there.
  await expectPage(page.getByText('Line 5: Added must be a date such as 2026-01-31')).toContainText('(still wrong)');
  for (const width of [820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await isCutOff(page), `rejected rows at ${width} px`).toBe(false);
  }
  const [cell, bar] = [page.getByLabel('Email, Line 3'), page.locator('.rejected-end')];
  await page.setViewportSize({ width: 820, height: 500 });
  await cell.evaluate((each) =>
    (each as unknown as { scrollIntoView(to: object): void }).scrollIntoView({ block: 'end' }),
  );
  const [end = 0, begin = 0] = [await cell.boundingBox(), await bar.boundingBox()].map((box, index) =>
    box ? box.y + (index === 0 ? box.height : 0) : undefined,
  );
  expect(end, 'the cell is above the line with the button').toBeLessThanOrEqual(begin);
  expect(await problemsOn(page)).toEqual([]);
  await page.route('**/corrections', (route) => route.abort('connectionrefused'));
  await page.getByRole('button', { name: 'Import 2 corrected rows' }).click();
  await expectPage(page.getByText('Rollcall cannot be reached')).toBeVisible();
  await expectPage(page.getByLabel('Email, Line 3')).toHaveValue('bo@mail.example');
  await page.unroute('**/corrections');
  await page.getByRole('link', { name: 'messy.csv' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'messy.csv' })).toBeVisible();
  await expectPage(page.getByLabel('Client type, Line 4')).toHaveValue('company');
  await page.getByRole('button', { name: 'Import 2 corrected rows' }).click();
  await expectPage(
    page.getByText('2 rows were imported, 1 is still rejected. Line 5: Added must be a date such as 2026-01-31'),
  ).toBeVisible();
  await expectPage(page.getByText('3 added, 0 updated, 0 unchanged, 1 rejected.').first()).toBeVisible();
  await expectPage(page.getByLabel('Added, Line 5')).toBeFocused();
  const result = page.getByRole('status').filter({ hasText: 'Import finished' });
  await expectPage(page.getByLabel('Email, Line 3')).toHaveCount(0);
  await expectPage(page.getByLabel('Added, Line 5')).toHaveAttribute('aria-invalid', 'true');

  await page.goto('/sandbox/settings/activity?kind=client');
  await expectPage(page.getByText(/^Imported 1 client from “messy.csv” \(3 rows rejected\)/)).toBeVisible();
  await page.goto('/sandbox/clients?search=bo');
  await page.getByRole('link', { name: 'Bo King' }).click();
  const addition = page.getByRole('listitem').filter({ hasText: 'Imported from corrected rows of “messy.csv”' });
  await expectPage(addition).toContainText(`${firm.owner} from this machine`);
  await addition.getByRole('link').click();
  await page.waitForURL('**/sandbox/import/imp_*');
  await page.goto('/sandbox/import');
  await expectPage(page.locator('section').getByText(firm.owner)).toBeVisible();
  await page.getByRole('link', { name: 'messy.csv' }).click();
  await page.waitForURL('**/sandbox/import/imp_*');
  await page.reload();
  await expectPage(page.getByRole('heading', { level: 1, name: 'messy.csv' })).toBeVisible();
  await expectPage(page.getByLabel('Group, Line 5')).toHaveValue('South');
  expect(await isCutOff(page)).toBe(false);
  expect(await problemsOn(page)).toEqual([]);
  await page.getByLabel('Added, Line 5').fill('2026-02-16');
  await page.getByRole('button', { name: 'Import 1 corrected row' }).click();
  await expectPage(page.getByText('1 row was imported.')).toBeVisible();
  await expectPage(page.getByText('4 added, 0 updated, 0 unchanged, 0 rejected.')).toBeVisible();
  await expectPage(result).toBeFocused();
  await expectPage(page.getByRole('heading', { name: 'Rejected rows' })).toHaveCount(0);

  // A file that says neither what kind of clients it has nor to which group they belong, nor what its columns are.
  await page.goto('/sandbox/import');
  await choose(page, 'Who;How;Where\nEve;eve@mail.example;pending\nFay;fay@mail.example;declined\n', 'bare.csv');
  await expectPage(page.getByLabel('Import How as')).toHaveValue('email');
  await expectPage(page.getByLabel('Import Where as')).toHaveValue('request_status');
  await page.getByLabel('Import Who as').selectOption('Client name');
  const forAll = page.getByRole('region', { name: 'For all rows' });
  await expectPage(forAll.getByLabel('Request status')).toHaveCount(0);
  await forAll.getByLabel('Client type').selectOption('Company');
  await expectPage(page.getByRole('button', { name: 'Import 2 rows' })).toBeDisabled();
  await forAll.getByLabel('Group').fill('Newcomers');
  expect(await problemsOn(page)).toEqual([]);
  expect(await isCutOff(page)).toBe(false);
  await page.getByRole('button', { name: 'Check only' }).click();
  await expectPage(page.getByText('2 would be added, 0 would be updated').first()).toBeVisible();
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expectPage(page.getByText('2 added, 0 updated, 0 unchanged, 0 rejected.').first()).toBeVisible();
  await page.goto('/sandbox/clients?group=Newcomers');
  await expectPage(page.getByRole('link', { name: 'Fay' })).toBeVisible();

  // What was decided since the file was made is not overwritten without a word.
  await page.goto('/sandbox/import');
  const eve = (name: string, status: string) =>
    `${HEADER},request_status\neve@mail.example,${name},company,Newcomers,${status}\n`;
  await choose(page, eve('Eve', 'declined'), 'other.csv');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expectPage(page.getByText('1 client would go from Pending to Declined: line 2.')).toBeVisible();
  await expectPage(page.getByText('Not imported yet')).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
  expect(await isCutOff(page)).toBe(false);
  // The check still holds, apart from what it says about statuses.
  await page.getByLabel('Keep the status that clients have now').check();
  await expectPage(page.getByText('1 client would go')).toHaveCount(0);
  await expectPage(page.getByText('Statuses will stay as they are')).toBeVisible();
  await expectPage(page.getByText('Not imported yet')).toHaveCount(0);
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expectPage(page.getByText('0 added, 0 updated, 1 unchanged, 0 rejected.').first()).toBeVisible();
  // A file that changes no status is imported right after it was checked.
  await choose(page, eve('Eve Adams', 'pending'), 'name.csv');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expectPage(page.getByText('0 added, 1 updated, 0 unchanged, 0 rejected.').first()).toBeVisible();

  // Clients that are recognised by an id are not moved without a word either, and the import leads to them.
  const inGroup = (group: string) => `${HEADER},external_id\neve@mail.example,Eve Adams,company,${group},E1\n`;
  await choose(page, inGroup('Newcomers'), 'id.csv');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expectPage(page.getByText('Import finished')).toBeVisible();
  await choose(page, inGroup('Old name'), 'old.csv');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expectPage(page.getByText('1 client would move from “Newcomers” to “Old name”: line 2.')).toBeVisible();
  await expectPage(page.getByText('1 group would be created: “Old name”.')).toBeVisible();
  await expectPage(page.getByText('Not imported yet')).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Import anyway' }).click();
  await expectPage(page.getByText('1 client moved from “Newcomers” to “Old name”: line 2.')).toBeVisible();
  const moved = page.getByRole('table', { name: 'Clients of this import' }).getByRole('row').filter({ hasText: 'Eve' });
  await expectPage(moved).toContainText('Old name');
  await expectPage(moved).toContainText('Updated');
  expect(await problemsOn(page)).toEqual([]);
  expect(await isCutOff(page)).toBe(false);
  await moved.getByRole('link', { name: 'Eve Adams' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Eve Adams' })).toBeVisible();
  // Nor does one person take the place of another who has the same id by mistake.
  await page.goto('/sandbox/import');
  const sameId = ['one', 'two'].map((name) => `${name}@mail.example,${name},company,Old name,E2`).join('\n');
  await choose(page, `${HEADER},external_id\n${sameId}\n`, 'twice.csv');
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expectPage(page.getByText('1 row would give a client with the same ID another email: line 3.')).toBeVisible();
  const repeated = '1 row would replace what an earlier row of the file says about the same client: line 3.';
  await expectPage(page.getByText(repeated)).toBeVisible();
  await expectPage(page.getByRole('listitem').filter({ hasText: 'the file.' })).toHaveText([
    'If two people have the same ID, give each their own in the file.',
    'To let an earlier row count, take the later one out of the file.',
  ]);
  await expectPage(page.getByText('Not imported yet')).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
  // A check that nobody has asked for is listed only if no import followed, and asks for nothing any more when it is looked at later.
  await page.goto('/sandbox/import');
  await expectPage(page.getByRole('link', { name: 'twice.csv' })).toHaveCount(1);
  for (const name of ['other.csv', 'name.csv', 'id.csv', 'old.csv']) {
    await expectPage(page.getByRole('link', { name, exact: true })).toHaveCount(1);
  }
  await expectPage(page.getByText('Only checked:')).toHaveCount(2);
  await page.getByRole('link', { name: 'twice.csv' }).click();
  await expectPage(page.getByText('Check finished, no clients were changed')).toBeVisible();
  await expectPage(page.getByText('1 row would give a client with the same ID another email: line 3.')).toBeVisible();
  await expectPage(page.getByText(repeated)).toBeVisible();
  // Who is in a file twice with the same email and status need not be asked about.
  await page.goto('/sandbox/import');
  const named = ['Gil', 'Gil Adams'].map((name) => `gil@mail.example,${name},company,Newcomers`).join('\n');
  await choose(page, `${HEADER}\n${named}\n`, 'gil.csv');
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expectPage(page.getByText('1 added, 1 updated, 0 unchanged, 0 rejected.').first()).toBeVisible();
  await expectPage(page.getByText('1 row replaced what an earlier row of the file says')).toBeVisible();
});

test('dates in another form are recognised where only one form fits, and asked for where day and month could be exchanged', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/import');
  const file = (type: string, ...dates: string[]) =>
    [
      `${HEADER},Since`,
      ...dates.map((date, index) => `c${index}@mail.example,Client ${index},${type},North,${date}`),
    ].join('\n');
  await choose(page, file('Firma', '31.01.2026', '01.02.2026'), 'german.csv');
  await page.getByLabel('Import Since as').selectOption('Added');
  const form = page.getByLabel('The dates of Since look like');
  await expectPage(form).toHaveValue('day-first');
  await expectPage(page.getByText('read in the time zone of your browser')).toBeVisible();
  await page.getByRole('button', { name: 'Check only' }).click();
  // A reason that many rows have is told once, and there is nothing that could be imported.
  const reason = 'Lines 2, 3: Client type must be one of individual, company, not “Firma”';
  await expectPage(page.getByRole('status').filter({ hasText: 'Check finished' })).toContainText(reason);
  await expectPage(page.getByRole('button', { name: 'Import 2 rows' })).toHaveCount(0);
  await expectPage(page.getByRole('button', { name: 'Correct 2 rejected rows' })).toBeVisible();
  await page.getByLabel('Client type “Firma”').selectOption('Company');
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expectPage(page.getByText('2 added, 0 updated, 0 unchanged, 0 rejected.').first()).toBeVisible();

  // What a value means, and what the columns of such a file are, is asked for once.
  const narrower = `Since,${HEADER}\n31.01.2026,ada@mail.example,Ada,company,North\n`;
  await choose(page, narrower, 'other-header.csv');
  await expectPage(page.getByLabel('Import Since as')).toHaveValue('created_at');
  await choose(page, file('Firma', '31.01.2026'), 'again.csv');
  await expectPage(page.getByLabel('Client type “Firma”')).toHaveValue('company');
  await expectPage(page.getByText('What was chosen for an earlier file is chosen again.')).toBeVisible();
  await expectPage(page.getByLabel('Import Since as')).toHaveValue('created_at');
  const asLastTime = page.getByText('Columns are chosen as for the last file that had them.');
  await expectPage(asLastTime).toBeVisible();
  await page.getByLabel('Import Since as').selectOption('Leave out');
  await expectPage(asLastTime).toHaveCount(0);

  // Among dates of one form, those of another one are not overlooked, nor is what comes after the first rows.
  await choose(page, file('company', '2026-04-03', ...Array.from({ length: 5 }, () => '03/04/2026')), 'mixed.csv');
  await page.getByLabel('Import Since as').selectOption('Added');
  await expectPage(page.getByText('The dates of Since are written in different ways')).toBeVisible();
  await form.selectOption('31/01/2026');
  await expectPage(page.getByText('So far, only the first 5 rows were tried.')).toBeVisible();
  await choose(page, file('company', '31/01/2026', '01/31/2026'), 'both.csv');
  await expectPage(page.getByText('It is better to correct the file and choose it again.')).toBeVisible();
  await choose(page, file('company', '01/03/2026', '02/03/2026'), 'unclear.csv');
  await expectPage(form).toHaveValue('');
  await expectPage(page.getByText('Day or month first?')).toBeVisible();
  await expectPage(page.getByRole('button', { name: 'Import 2 rows' })).toBeDisabled();
  expect(await problemsOn(page)).toEqual([]);
  // What is missing stands beside the buttons, and leads to its field.
  const open = page.getByRole('button', { name: 'how the dates of Since are written' });
  await open.click();
  await expectPage(form).toBeFocused();
  await expectPage(form).toBeInViewport();
  await form.selectOption('01/31/2026');
  await expectPage(open).toHaveCount(0);
  for (const width of [820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await isCutOff(page), `dates at ${width} px`).toBe(false);
  }
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expectPage(page.getByText('0 added, 2 updated, 0 unchanged, 0 rejected.').first()).toBeVisible();
  await page.goto('/sandbox/clients?search=client');
  await expectPage(page.getByText('Jan 3, 2026').filter({ visible: true })).toBeVisible();
});

test('whoever chooses columns and meanings reads what the statuses mean, and where numbers of their own belong', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/import');
  await choose(page, 'Mail;Name;Kind;Group;State;No\nada@mail.example;Ada;company;North;waiting;K-1\n', 'own.csv');
  await page.getByLabel('Import State as').selectOption('Request status');
  const meanings = page.getByRole('region', { name: 'What the values mean' });
  await expectPage(meanings).toContainText('Pending: the client has submitted everything and waits for your review');
  await meanings.getByLabel('Request status “waiting”').selectOption('Pending');
  await page.getByLabel('Import No as').selectOption('Reference ID');
  await expectPage(page.getByText('If the column has your own numbers of clients, choose External ID')).toBeVisible();
  await page.getByLabel('Import No as').selectOption('External ID');
  await expectPage(page.getByText('choose External ID')).toHaveCount(0);
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expectPage(page.getByText('Import finished')).toBeVisible();
});

test('a file that was chosen is still there after a visit to another page, and its errors are listed once', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/import');
  await choose(page, 'nothing', 'empty.csv');
  await expectPage(page.getByRole('alert').filter({ hasText: 'empty.csv cannot be imported' })).toBeFocused();
  await choose(page, 'Mail;Who;Kind;Desk\nada@mail.example;Ada;company;North\nwrong;Bo;firm;North\n', 'half.csv');
  await expectPage(page.getByRole('heading', { level: 2, name: 'half.csv' })).toBeFocused();
  await page.getByLabel('Import Who as').selectOption('Client name');
  await page.getByRole('link', { name: 'Clients', exact: true }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Clients', exact: true })).toBeVisible();
  await page.goBack();
  await expectPage(page.getByLabel('Import Who as')).toHaveValue('client_name');
  await page.getByLabel('Import Desk as').selectOption('Group');

  const wrong = page.getByText('Line 3: Email must be an email address; client type must be one of');
  await expectPage(page.getByText('Of the first 2 rows, 1 would be rejected')).toBeVisible();
  await page.getByRole('button', { name: 'Check only' }).focus();
  await page.keyboard.press('Enter');
  const result = page.getByRole('status').filter({ hasText: 'Check finished, no clients were changed' });
  await expectPage(result).toBeFocused();
  await expectPage(result).toContainText('Rejected rows can be corrected on this page after the import.');
  await expectPage(wrong).toHaveCount(1);
  await page.getByLabel('Import Kind as').selectOption('Leave out');
  await expectPage(result).toHaveCount(0);
  await page.getByLabel('Import Kind as').selectOption('Client type');
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expectPage(page.getByText('Import finished')).toBeVisible();
  await page.getByRole('link', { name: 'All clients', exact: true }).click();
  await expectPage(page.getByRole('link', { name: 'Ada' })).toBeVisible();
  await page.goBack();
  await expectPage(page.getByRole('heading', { level: 1, name: 'half.csv' })).toBeVisible();
  await expectPage(page.getByText('1 added, 0 updated, 0 unchanged, 1 rejected.').first()).toBeVisible();
  await expectPage(page.getByLabel('Import Who as')).toHaveCount(0);
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Import clients' })).toBeVisible();
});

test('whoever comes back to an import sees how far it is, how fast it goes and how long it will take', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  const viewer = await joinAsViewer(firm);
  let running = true;
  for (const each of [page, viewer]) {
    // The import is over at once; what it says meanwhile is held here, but not what its check says.
    await each.route(/\/console\/sandbox\/imports(\/imp_[\w-]+|\?page=1)$/, async (route) => {
      if (route.request().method() !== 'GET' || !running) return route.continue();
      const answer = await route.fetch();
      const json = await answer.json();
      const progress = { state: 'running', ended_at: null, rows_read: 48_000, rows_per_second: 950 };
      const held = { ...progress, percent_read: 29, seconds_left: 124 };
      for (const shown of json.data?.results ?? [json.data?.import].filter(Boolean)) {
        if (!shown.dry_run) Object.assign(shown, held);
      }
      await route.fulfill({ response: answer, json });
    });
  }
  await page.goto('/sandbox/import');
  await choose(page, [HEADER, ...rowsOf(3), 'wrong,Nobody,company,Group'].join('\n'), 'many.csv');
  await page.getByRole('button', { name: 'Import 4 rows' }).click();
  const pace = '48,000 rows so far, 950 rows per second, about 2 minutes left';
  await expectPage(page.getByText(pace).first()).toBeVisible();
  await page.getByRole('link', { name: 'Clients', exact: true }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Clients', exact: true })).toBeVisible();
  await page.goBack();
  await expectPage(page.getByRole('heading', { level: 1, name: 'many.csv' })).toBeVisible();
  await expectPage(page.getByText(pace)).toBeVisible();
  await page.reload();
  await expectPage(page.getByText(pace)).toBeVisible();
  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await expectPage(page.getByText(pace)).toBeVisible();
  await expectPage(page.getByRole('button', { name: 'Cancel the import of many.csv' })).toBeVisible();
  await page.getByRole('link', { name: 'many.csv' }).click();
  await expectPage(page.getByText('The file is being imported')).toBeVisible();
  await expectPage(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '29');

  await viewer.goto('/sandbox/import');
  await expectPage(viewer.getByText(pace)).toBeVisible();
  await expectPage(viewer.getByRole('button', { name: /^Cancel/ })).toHaveCount(0);
  await expectPage(viewer.getByText('Ask an owner or an admin of the account to do it.')).toBeVisible();
  await expectPage(viewer.getByText('Import a CSV')).toHaveCount(0);
  running = false;
  for (const each of [page, viewer]) {
    await expectPage(each.getByText('3 added, 0 updated, 0 unchanged, 1 rejected.')).toBeVisible();
  }
  await expectPage(page.getByRole('button', { name: 'Download the rejected rows' })).toBeVisible();
  // What somebody may not take away is not offered.
  await viewer.getByRole('link', { name: 'many.csv' }).click();
  await expectPage(viewer.getByText('Line 5: Email must be an email address')).toBeVisible();
  await expectPage(viewer.getByRole('button', { name: 'Download the rejected rows' })).toHaveCount(0);

  // Whoever is elsewhere when an import ends is told, and led to its result later, also if they left while the file was sent.
  running = true;
  await page.goto('/sandbox/import');
  const { promise: elsewhere, resolve: leave } = Promise.withResolvers<void>();
  await page.route(/\/console\/sandbox\/imports\?file_name=late.csv/, async (route) => {
    await elsewhere;
    await route.continue();
  });
  await choose(page, [HEADER, ...rowsOf(3)].join('\n'), 'late.csv');
  const sent = page.waitForRequest(/file_name=late.csv/);
  await page.getByRole('button', { name: 'Import 3 rows' }).click();
  await sent;
  await page.getByRole('link', { name: 'Clients', exact: true }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Clients', exact: true })).toBeVisible();
  const asked = page.waitForResponse(/\/imports\/imp_/);
  leave();
  await asked;
  running = false;
  await expectPage(page.getByText('“late.csv”: 0 added, 0 updated, 3 unchanged, 0 rejected.')).toBeVisible();
  await page.goBack();
  await expectPage(page.getByText('Your import of “late.csv” has finished.')).toBeVisible();
  await page.getByRole('link', { name: 'See the result' }).click();
  await expectPage(page.getByRole('status').filter({ hasText: 'Import finished' })).toBeVisible();
  await page.getByRole('link', { name: '← All imports' }).click();
  await expectPage(page.getByRole('link', { name: 'late.csv' })).toBeVisible();
  await expectPage(page.getByText('Your import of'), 'the result was seen').toHaveCount(0);
});

test('a row that could not be read keeps its text and all fields until it is accepted, and an import leads from client to client', async () => {
  const page = await signedIn(await openFirm({ clients: 3 }));
  await page.goto('/sandbox/import');
  const broken = 'q1@x.example,Bäckerei "Löwen" OHG,company,Group,completed';
  const lines = [...rowsOf(22).map((row) => `${row},pending`), broken];
  await choose(page, [`${HEADER},request_status`, ...lines].join('\n'), 'quotes.csv');
  await page.getByRole('button', { name: 'Import 23 rows' }).click();
  await expectPage(page.getByText('22 added, 0 updated, 0 unchanged, 1 rejected.').first()).toBeVisible();
  const field = (name: string) => page.getByLabel(`${name}, Line 24`);
  await field('Email').fill('q1 at x.example');
  await field('Client name').fill('Bäckerei "Löwen" OHG');
  await field('Client type').selectOption('Company');
  await field('Group').fill('Group');
  const send = page.getByRole('button', { name: /^Import (1 corrected row|corrected rows)$/ });
  await expectPage(send, 'it is still wrong').toHaveText('Import corrected rows');
  await send.click();
  await expectPage(page.getByText('1 is still rejected. Line 24: Email must be an email address.')).toBeVisible();
  await expectPage(page.locator('pre')).toHaveText(broken);
  await expectPage(field('Email')).toHaveValue('q1 at x.example');
  await expectPage(field('Email')).toBeFocused();
  await expectPage(field('Added')).toBeVisible();
  await field('Request status').selectOption('Completed');
  await field('Email').fill('q1@x.example');
  expect(await problemsOn(page)).toEqual([]);
  await send.click();
  await expectPage(page.getByText('23 added, 0 updated, 0 unchanged, 0 rejected.').first()).toBeVisible();

  const clients = page.getByRole('table', { name: 'Clients of this import' }).getByRole('link');
  await expectPage(clients).toHaveCount(20);
  const first = await clients.allInnerTexts();
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expectPage(clients).toHaveCount(3);
  const second = await clients.allInnerTexts();
  expect(second.at(-1)).toBe('Bäckerei "Löwen" OHG');
  await clients.first().click();
  const title = page.getByRole('heading', { level: 1 });
  const [previous, next] = [page.getByRole('button', { name: 'Previous' }), page.getByRole('button', { name: 'Next' })];
  await expectPage(title).toHaveText(second[0] ?? '');
  await previous.click();
  await expectPage(title).toHaveText(first[19] ?? '');
  await page.reload();
  await next.click();
  await expectPage(title).toHaveText(second[0] ?? '');
  for (const name of second.slice(1)) {
    await expectPage(next).toBeEnabled();
    await page.keyboard.press('j');
    await expectPage(title).toHaveText(name);
  }
  await expectPage(title).toBeFocused();
  await expectPage(previous).toBeEnabled();
  await expectPage(next).toBeDisabled();
  await expectPage(page.getByText('Completed').first()).toBeVisible();
  // The way back leads to the same clients of the import, and so does the browser's from there on.
  await page.getByRole('link', { name: '← Import' }).click();
  await expectPage(title).toHaveText('quotes.csv');
  await expectPage(clients).toHaveText(second);
  await clients.last().click();
  await expectPage(title).toHaveText(second.at(-1) ?? '');
  await page.goBack();
  await expectPage(clients).toHaveText(second);
  await page.getByRole('link', { name: '← All imports' }).click();
  await expectPage(page.getByRole('link', { name: 'quotes.csv' })).toBeVisible();
  await expectPage(page.getByText('Your import of'), 'the member has watched it finish').toHaveCount(0);
});

test('whoever comes back while a file is still being sent is not offered to send it again, and sees what becomes of it', async () => {
  const page = await signedIn(await openFirm());
  let outcome = Promise.withResolvers<'arrives' | 'is lost'>();
  let sendings = 0;
  await page.route(/\/console\/sandbox\/imports\?file_name/, async (route) => {
    sendings++;
    await ((await outcome.promise) === 'arrives' ? route.continue() : route.abort('connectionreset'));
  });
  const send = page.getByRole('button', { name: 'Import 3 rows' });
  const clients = page.getByRole('heading', { level: 1, name: 'Clients', exact: true });
  const sendAndLeave = async (name: string) => {
    const sent = page.waitForRequest(/\/imports\?file_name/);
    await choose(page, [HEADER, ...rowsOf(3)].join('\n'), name);
    await send.click();
    await sent;
    await page.getByRole('link', { name: 'Clients', exact: true }).click();
    await expectPage(clients).toBeVisible();
  };
  await page.goto('/sandbox/import');
  await sendAndLeave('slow.csv');
  await page.goBack();
  await expectPage(page.getByRole('heading', { level: 2, name: 'slow.csv' })).toBeVisible();
  await expectPage(send).toHaveCount(0);
  await expectPage(page.getByRole('status').filter({ hasText: 'The file is being sent' })).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
  outcome.resolve('arrives');
  await expectPage(page.getByText('Import finished')).toBeVisible();
  await expectPage(page.getByRole('heading', { level: 2, name: 'slow.csv' })).toBeVisible();
  // Once for its check and once for its import, which follows by itself.
  expect(sendings).toBe(2);

  outcome = Promise.withResolvers();
  await sendAndLeave('lost.csv');
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('lost.csv'));
  outcome.resolve('is lost');
  await lost;
  await page.goBack();
  await expectPage(page.getByText('The file was not sent')).toBeVisible();
  await expectPage(send).toBeEnabled();
});

test('an import names its columns by itself, lists many rejected rows page by page, and gives them as a file', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/import');
  const rows = [HEADER, ...rowsOf(1200), 'x@mail.example,<img src=x onerror=alert(1)>,individual,Group'];
  // A row that cannot be read is shown as such, and does not prevent the others from being imported.
  await choose(page, `${HEADER}\nbroken@mail.example,Ada\n${rows[1]}\n`);
  await expectPage(page.getByText('The row has 2 cells, but the header has 4')).toBeVisible();
  // A file that was chosen for one environment is not imported into the other one.
  await page.getByText('Production', { exact: true }).click();
  await page.waitForURL('**/production/import');
  await expectPage(page.getByRole('button', { name: 'Choose file' })).toBeVisible();
  await expectPage(page.getByRole('button', { name: 'Import 2 rows' })).toHaveCount(0);
  await page.getByText('Sandbox', { exact: true }).click();
  await page.waitForURL('**/sandbox/import');
  await choose(page, `${HEADER}\n`);
  await expectPage(page.getByText('The file has a header but no rows.')).toBeVisible();
  await choose(page, gzipSync(rows.join('\n')), 'clients.csv.gz');
  await expectPage(page.getByText('c0@mail.example')).toBeVisible();
  await page.getByRole('button', { name: 'Import 1,201 rows' }).click();
  await expectPage(page.getByText('1,201 added, 0 updated, 0 unchanged, 0 rejected.').first()).toBeVisible();

  const wrong = Array.from({ length: 22 }, (_, index) => `wrong ${index},Nobody,company,Group`);
  await choose(page, [HEADER, ...wrong].join('\n'), 'wrong.csv');
  await page.getByRole('button', { name: 'Import 22 rows' }).click();
  await expectPage(page.getByText('No rows were imported')).toBeVisible();
  await expectPage(page.getByText(/^Line \d+: Email must be an email address/)).toHaveCount(20);
  await page.getByLabel('Email, Line 2', { exact: true }).fill('first@mail.example');
  // The other page begins at its first row, although it is shorter.
  await page.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expectPage(page.getByLabel('Email, Line 22')).toBeFocused();
  await expectPage(page.getByText(/^Line 22: Email must be/)).toBeInViewport();
  await page.getByLabel('Email, Line 23').fill('last@mail.example');
  await page.getByRole('button', { name: 'Import 2 corrected rows' }).click();
  await expectPage(page.getByText('2 rows were imported.')).toBeVisible();
  // The page stays at the first row that is still wrong.
  await page.getByLabel('Email, Line 21').fill('21@mail.example');
  await page.getByLabel('Email, Line 22').fill('still wrong');
  await page.getByRole('button', { name: 'Import 1 corrected row' }).click();
  await expectPage(
    page.getByText('1 row was imported, 1 is still rejected. Line 22: Email must be an email address.'),
  ).toBeVisible();
  await expectPage(page.getByLabel('Email, Line 22')).toBeFocused();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the rejected rows' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('wrong-rejected.csv');
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines).toHaveLength(20);
  expect(lines[1]).toMatch(/^wrong 1,Nobody.*,3,email must be an email address/);

  // What was typed for the rows of one import stays there.
  await choose(page, `${HEADER}\n,Bo,company,Group\n,Cy,company,Group\n`, 'other.csv');
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await page.getByLabel('Email, Line 3').fill('cy@mail.example');
  await page.getByRole('link', { name: 'other.csv' }).click();
  await expectPage(page.getByLabel('Email, Line 3')).toHaveValue('cy@mail.example');
  await page.getByRole('link', { name: '← All imports' }).click();
  await page.getByRole('link', { name: 'wrong.csv' }).click();
  await page.getByLabel('Email, Line 3', { exact: true }).fill('nobody@mail.example');
  await page.evaluate('history.go(-2)');
  await expectPage(page.getByRole('heading', { level: 1, name: 'other.csv' })).toBeVisible();
  await expectPage(page.getByLabel('Email, Line 3')).toHaveValue('cy@mail.example');
  await page.getByRole('button', { name: 'Import 1 corrected row' }).click();
  await expectPage(page.getByText('1 row was imported.')).toBeVisible();

  await page.goto('/sandbox/clients?search=img');
  await expectPage(page.getByText('<img src=x onerror=alert(1)>')).toBeVisible();

  // Of a row that could not be read, any cell may have to be entered.
  await page.goto('/sandbox/import');
  await choose(page, `${HEADER.replaceAll(',', ';')}\nbroken@mail.example;Ada\n`, 'short.csv');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  for (const cell of ['Email', 'Request status', 'Added', 'External ID']) {
    await expectPage(page.getByLabel(`${cell}, Line 2`)).toBeVisible();
  }
  await expectPage(page.getByText('broken@mail.example;Ada')).toBeVisible();
  await expectPage(page.getByLabel('Client name, Line 2')).toHaveValue('Ada');
  // Of one with too many cells, the first ones need not be typed again.
  const long = ['long@mail.example,Bea,company,North,South', 'king@mail.example,King, Bo,company,North'];
  await choose(page, [HEADER, ...long].join('\n'), 'long.csv');
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expectPage(page.getByText('There is no column for “South”.')).toBeVisible();
  await expectPage(page.getByLabel('Client type, Line 3')).toHaveAttribute('aria-invalid', 'true');
  await expectPage(page.getByLabel('Group, Line 2')).toHaveValue('North');
  await page.getByRole('button', { name: 'Use these values, Line 2' }).click();
  await page.getByRole('button', { name: 'Import 1 corrected row' }).click();
  await expectPage(page.getByText('1 row was imported.').last()).toBeVisible();

  // A mistyped email or id may be that of another client.
  await choose(page, `${HEADER},request_status\n,Bea Bell,company,North,completed\n`, 'last.csv');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByLabel('Email, Line 2').fill('long@mail.example');
  await page.getByRole('button', { name: 'Import 1 corrected row' }).click();
  const asked = page.getByRole('status').filter({ hasText: 'Not imported yet: clients would change' });
  await expectPage(asked).toContainText('1 client would go from Requested to Completed: line 2.');
  await page.getByLabel('Client name, Line 2').fill('Bea Bellamy');
  await expectPage(asked, 'it is about what was typed before').toHaveCount(0);
  await page.getByRole('button', { name: 'Import 1 corrected row' }).click();
  await expectPage(asked).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Import anyway' }).click();
  await expectPage(page.getByText('1 row was imported, 1 has changed a client that exists.')).toBeVisible();
});

test('a check says what the import will do, also for rows that depend on rows far above them', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/import');
  const line = (n: number, name = `Client ${n}`) => `c${n}@mail.example,${name},company,Group ${n % 3},`;
  const first = Array.from({ length: 600 }, (_, n) => line(n));
  const lines = [
    `${HEADER},reference_id`,
    ...first,
    ...first.slice(100),
    ...first.slice(300).map((_, n) => line(n, 'Renamed')),
    'new@mail.example,Ada,company,Group 0,1700000000001-1111',
    'c0@mail.example,Ada,company,Group 0,1700000000001-1111',
  ];
  await choose(page, lines.join('\n'));
  await page.getByRole('button', { name: 'Check only' }).click();
  await expectPage(
    page.getByText('601 would be added, 300 would be updated, 500 unchanged, 1 would be rejected.').first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Import 1,402 rows' }).click();
  await expectPage(page.getByText('601 added, 300 updated, 500 unchanged, 1 rejected.').first()).toBeVisible();
});

test('whoever imports clients into a group that is misspelt is asked before they are doubled, and everybody else is not', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/import');
  const ofGroup = (group: string, ...names: string[]) =>
    [HEADER, ...names.map((name) => `${name}@mail.example,${name},individual,${group}`)].join('\n');
  const send = page.getByRole('button', { name: /^Import \d rows?$/ });
  const notYet = page
    .getByRole('status')
    .filter({ hasText: 'Not imported yet: other groups have some of these emails' });
  await choose(page, ofGroup('North', 'ada', 'bo'), 'first.csv');
  await send.click();
  await expectPage(page.getByText('2 added, 0 updated, 0 unchanged, 0 rejected.').first()).toBeVisible();

  await choose(page, ofGroup('Nroth', 'cy', 'Ada'), 'misspelt.csv');
  await send.click();
  await expectPage(notYet).toContainText('1 row would add a client whose email another group has: line 3.');
  await expectPage(notYet).toContainText('1 group would be created: “Nroth”.');
  await expectPage(notYet).toBeFocused();
  await expectPage(page.getByText('If these people are in Rollcall already, correct their groups')).toBeVisible();
  expect(await problemsOn(page)).toEqual([]);
  for (const width of [820, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await isCutOff(page), `the question at ${width} px`).toBe(false);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  // Corrected, it is imported without another click.
  await choose(page, ofGroup('North', 'cy', 'Ada'), 'corrected.csv');
  await send.click();
  await expectPage(page.getByText('1 added, 1 updated, 0 unchanged, 0 rejected.').first()).toBeVisible();

  // Who is a client in two groups is imported by whoever says so, also if they were elsewhere when the check ended.
  const { promise: elsewhere, resolve: leave } = Promise.withResolvers<void>();
  await page.route(/imports\?file_name=both.csv&dry_run=true/, async (route) => {
    await elsewhere;
    await route.continue();
  });
  await choose(page, ofGroup('South', 'ada', 'bo'), 'both.csv');
  const sent = page.waitForRequest(/file_name=both.csv/);
  await send.click();
  await sent;
  await page.getByRole('link', { name: 'Clients', exact: true }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Clients', exact: true })).toBeVisible();
  leave();
  const told = page.getByRole('alert').filter({ hasText: 'Not imported yet' });
  await expectPage(told).toContainText('“both.csv”: 2 would be added');
  await expectPage(told).toContainText('The import page asks you what to do.');
  await page.goBack();
  await expectPage(notYet).toContainText('2 rows would add a client whose email another group has: lines 2, 3.');
  await page.getByRole('button', { name: 'Import anyway' }).click();
  await expectPage(page.getByText('Import finished')).toBeVisible();
  await expectPage(page.getByText('2 rows added a client whose email another group has: lines 2, 3.')).toBeVisible();
  // Loaded again, the page still shows the import. Checks that nobody has asked for are not listed beside their imports.
  await page.reload();
  await expectPage(page.getByRole('heading', { level: 1, name: 'both.csv' })).toBeVisible();
  await page.getByRole('link', { name: '← All imports' }).click();
  for (const name of ['first.csv', 'misspelt.csv', 'corrected.csv', 'both.csv']) {
    await expectPage(page.getByRole('link', { name, exact: true })).toHaveCount(1);
  }
  await expectPage(page.getByText('Only checked:')).toHaveCount(1);
});

test('a service that cannot answer for a moment does not end the watching of an import', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/import');
  let refusals = 6;
  await page.route(/\/console\/sandbox\/imports\/imp_/, (route) =>
    refusals-- > 0 ? route.fulfill({ status: 503, json: { message: 'Busy.', data: null } }) : route.continue(),
  );
  await choose(page, `${HEADER}\na@mail.example,Ada,company,Group\n`, 'one.csv');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expectPage(page.getByText('Import finished')).toBeVisible();
  expect(refusals).toBeLessThan(0);
});

test('an import goes on when its page is closed, and workbooks are shown and imported like other files', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/import');
  await choose(page, [HEADER, ...rowsOf(20_000)].join('\n'), 'many.csv');
  const [answer] = await Promise.all([
    page.waitForResponse(/file_name=many.csv&dry_run=false/),
    page.getByRole('button', { name: 'Import 20,000 rows' }).click(),
  ]);
  expect(answer.status()).toBe(200);
  await page.goto('/sandbox/clients');
  await page.goto('/sandbox/import');
  await expectPage(page.getByRole('link', { name: 'many.csv' })).toBeVisible();
  // So many rows take a minute where other work keeps all processors busy.
  const imported = page.getByText('20,000 added, 0 updated, 0 unchanged, 0 rejected.');
  await expectPage(imported).toBeVisible({ timeout: 300_000 });

  const workbook = aWorkbook(
    [
      ['Name', 'E-mail', 'Kind', 'Group', 'Since'],
      ['Ada', 'ada@mail.example', 'company', 'Group', new Date('2026-01-31T00:00:00Z')],
    ],
    ['Former'],
  );
  await choose(page, 'This is not a workbook.', 'wrong.xlsx');
  await expectPage(page.getByText('The file is not an Excel workbook')).toBeVisible();
  await choose(page, workbook, 'one.xlsx');
  await expectPage(page.getByText('ada@mail.example')).toBeVisible();
  await expectPage(page.getByText('2026-01-31', { exact: true }).first()).toBeVisible();
  await expectPage(page.getByText('1 row of the sheet “Clients & others”. Only the first sheet is read')).toBeVisible();
  // The answer is lost, and the file can be sent again.
  await page.route('**/console/sandbox/imports?*', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
  );
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expectPage(page.getByText('The file was not sent')).toBeVisible();
  await page.unroute('**/console/sandbox/imports?*');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expectPage(page.getByText('Import finished')).toBeVisible();
  await expectPage(page.getByText('1 added, 0 updated, 0 unchanged, 0 rejected.').first()).toBeVisible();
});

test('a file that cannot be read as it is, or has changed since it was chosen, is reported with what helps', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/sandbox/import');
  await choose(page, Buffer.from(`${HEADER}\na@mail.example,Ada M\xfcller,company,North\n`, 'latin1'), 'old.csv');
  await expectPage(page.getByText('Line 2 is not UTF-8 text. It looks like Windows-1252')).toBeVisible();
  await expectPage(page.getByText('old.csv has not been read yet')).toBeVisible();
  await page.getByRole('button', { name: 'Read as Windows-1252' }).click();
  await expectPage(page.getByRole('cell', { name: 'Ada Müller' })).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expectPage(page.getByText('1 added, 0 updated, 0 unchanged, 0 rejected.').first()).toBeVisible();

  // One that is saved again after it was chosen can only be chosen again: its bytes are given to nobody any more.
  const path = join(mkdtempSync(join(tmpdir(), 'rollcall-changed-')), 'changed.csv');
  onTestFinished(() => rmSync(dirname(path), { recursive: true }));
  const save = (rows: readonly string[], at: number) => {
    writeFileSync(path, [HEADER, ...rows].join('\n'));
    utimesSync(path, at, at);
  };
  const changed = page.getByRole('alert').filter({ hasText: 'The file has changed since you chose it.' });
  const chooseWith = async (button: string) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: button }).click();
    await (await chooser).setFiles(path);
  };
  save(rowsOf(2), 1_700_000_000);
  await chooseWith('Choose file');
  await expectPage(page.getByRole('button', { name: 'Import 2 rows' })).toBeEnabled();
  save(rowsOf(3), 1_700_000_100);
  await page.getByRole('button', { name: 'Check only' }).click();
  await expectPage(changed).toContainText('The file was not sent');
  expect(await problemsOn(page)).toEqual([]);
  await chooseWith('Choose it again');
  await expectPage(page.getByRole('button', { name: 'Import 3 rows' })).toBeEnabled();
  await expectPage(changed).toHaveCount(0);
  // The same file is taken again also where it was chosen first.
  save(rowsOf(4), 1_700_000_200);
  await chooseWith('Choose file');
  await expectPage(page.getByRole('button', { name: 'Import 4 rows' })).toBeEnabled();

  // A second file would be left out without a word.
  const both = await page.evaluateHandle(`(() => {
    const both = new DataTransfer();
    for (const name of ['one.csv', 'two.csv']) both.items.add(new File(['x'], name));
    return both;
  })()`);
  await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: both });
  const refused = page.getByRole('alert').filter({ hasText: '2 files cannot be imported' });
  await expectPage(refused).toContainText('Only one file can be imported at a time.');
  await expectPage(page.getByRole('button', { name: 'Import 4 rows' })).toBeEnabled();

  const unicode = `\ufeff${HEADER}\nb@mail.example,Bøb 😀,company,North\n`;
  await choose(page, Buffer.from(unicode, 'utf16le'), 'unicode.csv');
  await expectPage(page.getByRole('cell', { name: 'Bøb 😀' })).toBeVisible();
  await choose(page, Buffer.alloc(3_000_000, 'x'), 'endless.csv');
  await expectPage(
    page.getByText('endless.csv cannot be importedLine 1: the line is longer than 1048576 characters.'),
  ).toBeVisible();
});
