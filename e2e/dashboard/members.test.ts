import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { codeAt } from '../../packages/server/src/domain/members/second-factor.ts';
import { expectPage, visitor } from '../browser.ts';
import { PASSWORD } from '../test-account.ts';
import { join, openFirm, signedIn, useDashboard } from './firm.ts';

useDashboard();

async function invite(owner: Page, email: string): Promise<string> {
  await owner.goto('/sandbox/settings/members');
  await owner.getByRole('button', { name: 'Invite member' }).click();
  await owner.getByLabel('Email').fill(email);
  await owner.getByRole('button', { name: 'Create link' }).click();
  const link = await owner.locator('pre').innerText();
  await owner.getByRole('button', { name: 'Done' }).click();
  return link;
}

async function addSecondFactor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  const secret = (await page.locator('pre').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'I have stored them' }).click();
}

test('an invitation is renewed, a member is signed out and made an owner only after a confirmation', async () => {
  const firm = await openFirm();
  const owner = await signedIn(firm);
  const former = await invite(owner, 'ann@firm.example');
  await owner.getByRole('button', { name: 'Renew the invitation for ann@firm.example' }).click();
  const renewed = owner.getByRole('dialog', { name: 'Invitation renewed' });
  await expectPage(renewed).toContainText('Send this link to ann@firm.example, who is invited as Viewer.');
  const link = await renewed.locator('pre').innerText();
  expect(link).not.toBe(former);
  await owner.getByRole('button', { name: 'Done' }).click();
  const late = await visitor(firm.service.dashboard);
  await late.goto(former);
  await expectPage(late.getByText('This link has expired, or it has been used or withdrawn.')).toBeVisible();
  await expectPage(late.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await late.getByRole('link', { name: 'Go to sign-in' }).click();
  await expectPage(late.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  const ann = await join(firm, link);

  // The page notices by itself who has joined, at the latest when somebody looks at it again.
  await owner.evaluate("dispatchEvent(new Event('visibilitychange'))");
  await owner.getByRole('button', { name: 'Manage ann@firm.example' }).click();
  await owner.getByRole('menuitem', { name: 'Where they are signed in…' }).click();
  const browsers = owner.getByRole('dialog', { name: 'Where ann@firm.example is signed in' });
  await browsers.getByRole('button', { name: /^Sign out .* from / }).click();
  await expectPage(browsers.getByText('Nowhere.')).toBeVisible();
  await owner.keyboard.press('Escape');
  await ann.goto('/sandbox/clients');
  await expectPage(ann.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();

  await owner.getByRole('button', { name: 'Manage ann@firm.example' }).click();
  await owner.getByRole('menuitem', { name: 'Change role to Owner…' }).click();
  await owner.getByRole('button', { name: 'Cancel' }).click();
  await expectPage(owner.getByRole('row', { name: /ann@firm.example/ })).toContainText('Viewer');
  await owner.getByRole('button', { name: 'Manage ann@firm.example' }).click();
  await owner.getByRole('menuitem', { name: 'Change role to Owner…' }).click();
  await owner.getByRole('button', { name: 'Make owner' }).click();
  await expectPage(owner.getByRole('row', { name: /ann@firm.example/ })).toContainText('Owner');
});

test('members of an account that requires a second factor see only where to add it, and viewers export only if they may', async () => {
  const firm = await openFirm({ clients: 3 });
  const owner = await signedIn(firm);
  const ben = await join(firm, await invite(owner, 'ben@firm.example'));
  await ben.goto('/sandbox/clients');
  await expectPage(ben.getByText('3 clients')).toBeVisible();
  await expectPage(ben.getByRole('button', { name: 'Export CSV' })).toHaveCount(0);

  const required = owner.getByLabel('All members need a second factor');
  await required.click();
  await expectPage(owner.getByText('Add a second factor to your own profile first.')).toBeVisible();
  await owner.goto('/sandbox/settings/profile');
  await addSecondFactor(owner);
  await owner.goto('/sandbox/settings/members');
  await required.click();
  await expectPage(required).toBeChecked();
  await owner.getByLabel('Viewers may export clients').click();
  await expectPage(owner.getByLabel('Viewers may export clients')).toBeChecked();

  await ben.reload();
  await expectPage(ben.getByText('Your account requires a second factor')).toBeVisible();
  await expectPage(ben.getByText('3 clients')).toHaveCount(0);
  await ben.getByRole('link', { name: 'Add one to continue' }).click();
  await addSecondFactor(ben);
  await expectPage(ben.getByText('Your account requires a second factor')).toHaveCount(0);
  await ben.goto('/sandbox/clients');
  await expectPage(ben.getByRole('button', { name: 'Export CSV' })).toBeVisible();
});

/** A time zone in which it is another day than in UTC for most of the day. */
const AHEAD = 'Pacific/Kiritimati';

test('an auditor finds who renamed a client, from which name to which, and opens the client', async () => {
  const firm = await openFirm({ clients: 3 });
  const page = await signedIn(firm, { timezoneId: AHEAD });
  await page.goto('/sandbox/clients');
  const link = page.locator('.row-link').first();
  const name = await link.innerText();
  await link.click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Ada Abebe');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Ada Abebe' })).toBeVisible();
  await expectPage(page.getByText(/^owner\d*@firm\.example from this machine, /)).toBeVisible();
  const reference = page.url().split('/').at(-1) ?? '';

  await page.goto('/production/settings/activity');
  await expectPage(page.getByText(/^Created API key/)).toBeVisible();
  const field = page.getByLabel('Search by a client, a member, an ID, a reason or an IP address');
  await field.pressSequentially(`${reference.slice(3)} `);
  await expectPage(page.getByText('1 entry', { exact: true })).toBeVisible();
  await expectPage(field).toHaveValue(`${reference.slice(3)} `);
  await expectPage(page.getByText(`Name: ${name} → Ada Abebe`)).toBeVisible();

  // The days are those of the reader, as the times beside them are.
  const today = new Intl.DateTimeFormat('sv', { timeZone: AHEAD }).format();
  await page.getByLabel('First day').fill(today);
  await page.getByLabel('Last day').fill(today);
  await expectPage(page).toHaveURL(/to=/);
  await expectPage(page.getByText(`Name: ${name} → Ada Abebe`)).toBeVisible();
  await expectPage(page.getByRole('cell', { name: 'this machine' }).first()).toBeVisible();
  await page.getByLabel('Last day').fill('');
  const [yesterday = '', tomorrow = '', later = ''] = [-1, 1, 2].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  );
  await page.getByLabel('First day').fill(later);
  await expectPage(page.getByText('No entry matches these filters.')).toBeVisible();
  await page.getByLabel('Last day').fill(tomorrow);
  await expectPage(page.getByText('The last day is before the first one.')).toBeVisible();
  await page.getByLabel('First day').fill(yesterday);
  await expectPage(page.getByText('1 entry', { exact: true })).toBeVisible();

  await page.reload();
  await expectPage(field).toHaveValue(reference.slice(3));
  await expectPage(page.getByLabel('Last day')).toHaveValue(tomorrow);
  await page.getByRole('link', { name: 'Ada Abebe' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Ada Abebe' })).toBeVisible();
  expect(page.url()).toContain(`/sandbox/clients/${reference}`);

  await page.goBack();
  await expectPage(page.getByText(`Name: ${name} → Ada Abebe`)).toBeVisible();
  await page.getByLabel('Last day').fill('');
  await page.getByLabel('Last day').press('5');
  const isHalfTyped = `[...document.querySelectorAll('[type=date]')].some((day) => day.validity.badInput)`;
  expect(await page.evaluate(isHalfTyped)).toBe(true);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeFocused();
  expect(await page.evaluate(isHalfTyped)).toBe(false);
  await expectPage(page.getByText(/^Created API key/)).toBeVisible();
  await expectPage(field).toHaveValue('');
  await field.fill('abebe ada');
  await expectPage(page.getByText('Changed Ada Abebe')).toBeVisible();
  await expectPage(page.getByText(/^Added \d+ sample clients?/)).toBeVisible();
  await expectPage(page.getByText('2 entries', { exact: true })).toBeVisible();
  await field.fill('');
  await expectPage(page.getByText(/^Created API key/)).toBeVisible();
  const checkpoint = page.getByRole('button', { name: 'Signed checkpoint' });
  await expectPage(checkpoint).toHaveAccessibleDescription(/shows later whether anybody has changed the log/);
  await page.getByRole('combobox', { name: 'Member' }).click();
  await page.getByRole('option', { name: 'Command line' }).click();
  await expectPage(page.getByText(`Name: ${name} → Ada Abebe`)).toHaveCount(0);
  await expectPage(page.getByText(/^Created API key/)).toBeVisible();
});

test('somebody with one password in two accounts chooses one, and changes to the other', async () => {
  const first = await openFirm({ name: 'Keller & Sons' });
  for (const firm of [first, await openFirm({ name: 'Okafor Ltd' })]) {
    await join(firm, await invite(await signedIn(firm), 'ann@person.example'));
  }
  const page = await visitor(first.service.dashboard);
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill('ann@person.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Choose an account' })).toBeVisible();
  await page.getByRole('button', { name: 'Okafor Ltd' }).click();
  await page.waitForURL('**/overview');
  await expectPage(page.getByText('Okafor Ltd', { exact: true })).toBeVisible();

  const otherTab = await page.context().newPage();
  await otherTab.goto('/sandbox/groups');
  await expectPage(otherTab.getByRole('heading', { level: 1, name: 'Groups' })).toBeVisible();

  await page.getByRole('button', { name: 'Switch account' }).click();
  await expectPage(page.getByLabel('Email')).toHaveValue('ann@person.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Keller & Sons' }).click();
  // The other account was shown in its sandbox last.
  await page.waitForURL('**/production/overview');
  await expectPage(page.getByText('Keller & Sons', { exact: true })).toBeVisible();

  await otherTab.getByRole('link', { name: 'Clients', exact: true }).click();
  await expectPage(otherTab.getByText('You have changed to another account in another tab.')).toBeVisible();
  await expectPage(otherTab.getByText('Keller & Sons', { exact: true })).toBeVisible();
});

test('a choice of accounts that took too long says so, and leads back to the sign-in', async () => {
  const { service } = await openFirm();
  const page = await visitor(service.dashboard);
  await page.goto('/sign-in?step=account');
  await expectPage(page.getByText('This took too long. Sign in again.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in as somebody else' }).click();
  await expectPage(page.getByLabel('Email')).toBeVisible();
});
