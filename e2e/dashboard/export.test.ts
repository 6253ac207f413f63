import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { expectPage } from '../browser.ts';
import { PASSWORD } from '../test-account.ts';
import { forgetPassword, openFirm, signedIn, useDashboard } from './firm.ts';

useDashboard();

/** A page of another origin on this machine. To the browser it is the same site, so cookies are sent along. */
async function otherSite(html: string): Promise<string> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an export of the filtered clients is downloaded while the page stays, and no other site can start it', async () => {
  const firm = await openFirm({ clients: 40 });
  const page = await signedIn(firm);
  await page.goto('/sandbox/clients?status=completed');
  const shown = Number((await page.getByText(/^\d+ clients?$/).innerText()).split(' ')[0]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^clients-sandbox-\d{4}-\d\d-\d\d\.csv$/);
  const text = readFileSync(await download.path(), 'utf8');
  // Excel would break umlauts without it.
  expect(text.startsWith('\uFEFF')).toBe(true);
  const lines = text.trim().split('\n');
  expect(lines).toHaveLength(1 + shown);
  expect(lines.slice(1).filter((line) => !line.includes(',completed,'))).toEqual([]);
  expect(new URL(page.url()).pathname).toBe('/sandbox/clients');
  await expectPage(page.getByText('The export did not start')).toHaveCount(0);

  const action = `${firm.service.dashboard}/console/sandbox/clients.csv`;
  const evil = await otherSite(
    `<form method="post" action="${action}"><button>Win</button></form><a href="${action}">Win</a>`,
  );
  for (const role of ['button', 'link'] as const) {
    await page.goto(evil);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url() === action),
      page.getByRole(role, { name: 'Win' }).click(),
    ]);
    expect([403, 405]).toContain(answer.status());
  }
  await page.goto(`${firm.service.dashboard}/sandbox/settings/activity`);
  await expectPage(page.getByText('clients as CSV')).toHaveCount(1);
});

test('an export that is refused shows the reason and leaves the page as it is', async () => {
  const page = await signedIn(await openFirm({ clients: 3 }));
  await page.goto('/sandbox/clients');
  await expectPage(page.getByText('3 clients')).toBeVisible();
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const prompt = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await prompt.getByRole('button', { name: 'Cancel' }).click();
  await expectPage(page.getByText('The export did not start')).toBeVisible();
  await expectPage(page.getByText('You are not signed in.')).toBeVisible();
  await expectPage(page.getByText('3 clients')).toBeVisible();
});

test('an export asks for a password that was not entered recently, and then goes on by itself', async () => {
  const firm = await openFirm({ clients: 3 });
  const page = await signedIn(firm);
  for (const [address, button, deed, name] of [
    ['/sandbox/clients', 'Export CSV', 'export clients', /^clients-sandbox-\d{4}-\d\d-\d\d\.csv$/],
    ['/sandbox/settings/activity', 'Export whole log as NDJSON', 'export the activity log', /^activity\.ndjson$/],
  ] as const) {
    await page.goto(address);
    await forgetPassword(firm, page);
    await page.getByRole('button', { name: button }).click();
    const prompt = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await expectPage(prompt).toContainText(`Enter your password again to ${deed}.`);
    await prompt.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      prompt.getByRole('button', { name: 'Continue' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(name);
  }

  // The file has what the filters match, as the page shows it.
  await page.getByRole('combobox', { name: 'Kind of activity' }).click();
  await page.getByRole('option', { name: 'Account settings', exact: true }).click();
  const [filtered] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export matching entries as CSV' }).click(),
  ]);
  const [header, ...lines] = readFileSync(await filtered.path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(header).toMatch(/chain,number,at/);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toContain(',account.');
  await page.reload();
  await expectPage(
    page.getByText('Exported entries of the activity log as CSV, of the kind “Account settings”'),
  ).toBeVisible();
});
