import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { expectPage, useBrowser, visitor } from './browser.ts';
import { Program } from './program.ts';

useBrowser();

const OWNER = 'owner@firm.example';

/** Words with which the vendor of the API reference advertises its own products. */
const VENDOR =
  /scalar|ask ai|mcp|developer tools|api client|configure|deploy|share|upload|register|sign up|generate sdk|powered by/i;

async function openReference(page: Page): Promise<void> {
  await page.goto('/docs');
  await expectPage(page.getByRole('heading', { name: 'List clients' }).first()).toBeVisible();
}

test.each(['light', 'dark'] as const)(
  'the API reference contains nothing of its vendor, in %s colours',
  async (colorScheme) => {
    const service = await new Program().serve();
    const page = await visitor(service.sandbox, { colorScheme });
    const elsewhere: string[] = [];
    const warnings: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== service.sandbox) elsewhere.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'warning' || message.type() === 'error') warnings.push(message.text());
    });
    await openReference(page);

    expect(await page.title()).toBe('Rollcall API');
    const icon = await page.locator('link[rel~=icon]').getAttribute('href');
    expect(await (await fetch(new URL(icon ?? '', service.sandbox))).text()).toBe(
      readFileSync(new URL('../packages/dashboard/public/favicon.svg', import.meta.url), 'utf8'),
    );
    await expectPage(page.getByText('Selected Auth Type: accessToken').first()).toBeVisible();
    expect(await page.locator('body').innerText()).not.toMatch(VENDOR);

    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    await expectPage(page.getByRole('dialog')).toBeVisible();
    expect(await page.locator('body').innerText()).not.toMatch(VENDOR);
    const links = await page
      .locator('a:visible')
      .evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href));
    expect(links.filter((link) => new URL(link).origin !== service.sandbox)).toEqual([]);
    expect(elsewhere).toEqual([]);
    expect(warnings).toEqual([]);
  },
);

test('the API reference can exchange a key for a token and request a list with it', async () => {
  const program = new Program();
  const service = await program.serve();
  await program.json(
    ['account', 'create', '--name', 'Firm', '--email', OWNER, '--password-stdin'],
    'a long enough password\n',
  );
  const where = ['--account', OWNER, '--environment', 'sandbox'];
  await program.json(['sample', ...where, '--clients', '7']);
  const { api_key: key } = await program.json<{ api_key: string }>(['key', 'create', ...where, '--name', 'test']);
  const page = await visitor(service.sandbox);
  await openReference(page);
  const dialog = page.getByRole('dialog');
  const send = async (path: string) => {
    const [response] = await Promise.all([
      page.waitForResponse((each) => each.url().includes(path)),
      dialog.getByRole('button', { name: 'Send' }).first().click(),
    ]);
    // No filter is filled in, so that a first try finds all clients.
    expect(new URL(response.url()).search).toBe('');
    return (await response.json()) as { status_code: number; data: { access_token: string; total_count: number } };
  };

  await page.getByRole('button', { name: /Test Request\s*\(get \/api\/v1\/generate/ }).click();
  await dialog.getByText('Selected Auth Type: apiKey').waitFor();
  await dialog.getByLabel('Value').first().fill(key);
  const { data } = await send('generate-access-token');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /Test Request\s*\(get \/api\/v1\/clients-list/ }).click();
  await dialog.getByText('Selected Auth Type: accessToken').waitFor();
  await dialog.getByLabel('Bearer Token').first().fill(data.access_token);
  expect(await send('clients-list')).toMatchObject({ status_code: 200, data: { total_count: 7 } });
});
