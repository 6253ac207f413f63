import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { expectPage, visitor } from '../browser.ts';
import { OWNER, PASSWORD } from '../test-account.ts';
import { openFirm, openProgram, signedIn, signIn, useDashboard } from './firm.ts';

useDashboard();

test('after set-up, the command shown with a new key works until the key is revoked', async () => {
  const program = await openProgram();
  const service = await program.serve();
  const page = await visitor(service.dashboard);
  const { set_up: link } = JSON.parse(service.output);
  await page.goto(link);
  await page.getByLabel('Name of your firm').fill('Firm');
  await page.getByLabel('Your email').fill(OWNER);
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expectPage(page.getByText('Password must have at least 15 characters.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expectPage(page.getByText('First steps in production')).toBeVisible();

  await page.getByRole('link', { name: 'Create API key' }).click();
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await page.getByLabel('Name').fill('Billing');
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  const command = await page.locator('pre', { hasText: 'curl' }).innerText();
  const answer = () => JSON.parse(execFileSync('bash', ['-c', command], { encoding: 'utf8' }));
  expect(answer()).toMatchObject({ status_code: 200, data: { total_count: 0 } });
  const secret = await page.locator('pre', { hasText: /^rc_production_/ }).innerText();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expectPage(page.locator('pre')).toHaveCount(0);
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('button', { name: 'Revoke Billing' }).click();
  await expectPage(page.getByRole('button', { name: 'Revoke API key' })).toBeDisabled();
  await page.getByLabel('Type Billing to confirm').fill('Billing');
  await page.getByRole('button', { name: 'Revoke API key' }).click();
  await expectPage(page.getByText('Revoked', { exact: true })).toBeVisible();
  expect(answer().status_code).toBe(401);
  await page.goto('/production/settings/activity');
  await expectPage(page.getByText(/^Created API key “Billing” \(/)).toBeVisible();
});

test('after signing out, the back button shows no page and no secret is left in storage', async () => {
  const firm = await openFirm({ clients: 5 });
  const page = await signedIn(firm);
  await page.goto('/sandbox/overview');
  await page.goto('/sandbox/clients');
  const name = await page.locator('.row-link').first().innerText();
  const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
  expect(stored).not.toMatch(/rc_|session|token|password/);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  await expectPage(page.getByText('You have signed out.')).toBeVisible();
  await page.goBack();
  await page.waitForURL('**/sign-in?**');
  expect(await page.content()).not.toContain(name);

  await signIn(page, firm.owner);
});

test('a viewer joins with a link that works once, sees everything and is offered no changes', async () => {
  const firm = await openFirm({ clients: 5 });
  const owner = await signedIn(firm);
  await owner.goto('/sandbox/settings/members');
  await owner.getByRole('button', { name: 'Invite member' }).click();
  await owner.getByLabel('Email').fill('viewer@firm.example');
  await owner.getByRole('button', { name: 'Create link' }).click();
  const link = await owner.locator('pre').innerText();

  const viewer = await visitor(firm.service.dashboard);
  await viewer.goto(link);
  await viewer.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await viewer.getByRole('button', { name: 'Join' }).click();
  await viewer.waitForURL('**/overview');
  for (const path of ['clients', 'groups', 'settings/api-credentials', 'settings/members']) {
    await viewer.goto(`/sandbox/${path}`);
    await expectPage(viewer.getByRole('heading', { level: 1 })).toBeVisible();
    await expectPage(
      viewer.getByRole('button', { name: /\b(Add|Create|Rename|Invite|Revoke|Change|Manage|Import)\b/ }),
    ).toHaveCount(0);
  }

  const late = await visitor(firm.service.dashboard);
  await late.goto(link);
  await expectPage(late.getByText('This link has expired, or it has been used or withdrawn.')).toBeVisible();
});
