import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { codeAt } from '../../packages/server/src/domain/members/second-factor.ts';
import { linkIn, startMailServer } from '../../packages/server/src/testing/test-mail-server.ts';
import { expectPage, visitor } from '../browser.ts';
import { Program } from '../program.ts';
import { createTestAccount, PASSWORD } from '../test-account.ts';
import { openFirm, signedIn, signIn, useDashboard } from './firm.ts';

useDashboard();

const PROOF_REQUIRED = {
  status: 428,
  json: { status_code: 428, message: 'Use a passkey or a recovery code to make new recovery codes.', data: null },
};

/** An authenticator of the browser itself, which always finds its user present and verified. */
async function addAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const kind = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  const user = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  await devTools.send('WebAuthn.addVirtualAuthenticator', { options: { ...kind, ...user } });
}

const HOME = '/production/overview';

const CASES = [
  ['//evil.example/', HOME],
  ['/\\evil.example/', HOME],
  ['/\t/evil.example/', HOME],
  ['https:evil.example', HOME],
  ['https://evil.example/', HOME],
  ['javascript:document.title="run"', HOME],
  ['java\tscript:document.title="run"', HOME],
  ['/.//evil.example/', '//evil.example/'],
  ['/sandbox/groups?x=1', '/sandbox/groups'],
] as const;

test('a visitor is led to the sign-in page without an error in the console of the browser', async () => {
  const { service } = await openFirm();
  const page = await visitor(service.dashboard, {});
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  for (const address of ['/', '/sandbox/clients', '/sign-in']) {
    await page.goto(address);
    await expectPage(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await page.waitForLoadState('networkidle');
  }
  expect(errors).toEqual([]);
});

test('signing in never leads away from the dashboard, whatever the address asks for', {
  timeout: 240_000,
}, async () => {
  const { service, owner } = await openFirm();
  const page = await visitor(service.dashboard, {});
  const elsewhere: string[] = [];
  await page.context().route(
    (url) => url.origin !== service.dashboard,
    (route) => {
      elsewhere.push(route.request().url());
      return route.abort();
    },
  );
  for (const [next, path] of CASES) {
    await page.context().clearCookies();
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await page.getByLabel('Email').fill(owner);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => url.origin === service.dashboard && url.pathname === path);
    await expectPage(page.getByRole('heading', { level: 1, name: /^(?!Sign in)/ })).toBeVisible();
    expect(await page.title(), next).not.toBe('run');
    expect(elsewhere, next).toEqual([]);
    // Requests that are still under way must not be answered after the cookies have been cleared.
    await page.goto('about:blank');
  }
});

test('a member who has lost their password sets a new one with a link from the operator, which works once', async () => {
  const firm = await openFirm();
  const { owner } = firm;
  const elsewhere = await signedIn(firm);
  const reset = await firm.program.json<{ link: string }>(['member', 'reset', owner]);
  // The service listens on any free port, which the command cannot know.
  expect(reset).toEqual({
    email: owner,
    account_id: expect.any(Number),
    link: expect.stringMatching(/^\/reset#[\w-]{43}$/),
    expires_at: expect.any(String),
    sessions_ended: false,
  });

  const page = await visitor(firm.service.dashboard);
  await page.goto(reset.link);
  await expectPage(page.getByRole('heading', { level: 1, name: 'Set a new password' })).toBeVisible();
  await expectPage(page.getByLabel('Your email')).toHaveValue(owner);
  await page.getByLabel('New password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Set a new password' })).toBeVisible();
  const password = 'nine purple walruses waltz';
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await page.goto('/production/settings/activity');
  await expectPage(page.getByText(`Created a password reset link for ${owner}`)).toBeVisible();
  await expectPage(page.getByText('Set a new password with a reset link')).toBeVisible();

  await elsewhere.goto('/production/clients');
  await expectPage(elsewhere.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await elsewhere.goto(reset.link);
  await expectPage(elsewhere.getByText('This link has expired, or it has been used or withdrawn.')).toBeVisible();
  await elsewhere.goto('/sign-in');
  await elsewhere.getByLabel('Email').fill(owner);
  await elsewhere.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await elsewhere.getByRole('button', { name: 'Sign in' }).click();
  await expectPage(elsewhere.getByRole('alert')).toHaveText('The email or password is not correct.');
  await signIn(elsewhere, owner, password);
});

test('a member who has forgotten their password sets a new one with a link that is mailed, and is told about it', async () => {
  const mail = await startMailServer();
  const program = new Program({ ROLLCALL_SMTP_URL: mail.url, ROLLCALL_MAIL_FROM: 'rollcall@firm.example' });
  const owner = 'owner@firm.example';
  await createTestAccount(program, { email: owner });
  const service = await program.serve();
  const page = await visitor(service.dashboard);
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(owner);
  const field = page.getByLabel('Password', { exact: true });
  await field.fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectPage(page.getByRole('alert')).toBeVisible();
  // What is typed next replaces it.
  await page.keyboard.type('x');
  await expectPage(field).toHaveValue('x');
  await page.keyboard.press('Tab');
  await expectPage(page.getByRole('button', { name: 'Show password' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expectPage(field).toHaveAttribute('type', 'text');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expectPage(page.getByLabel('Your email')).toHaveValue(owner);
  await page.goBack();
  await expectPage(page.getByLabel('Email')).toHaveValue(owner);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Mail me a link' }).click();
  await expectPage(page.getByRole('status')).toContainText(`If ${owner} belongs to a member`);

  const link = linkIn(await mail.mailTo(owner));
  expect(link.origin).toBe(service.dashboard);
  // A scanner that opens the link does not use it up.
  expect((await fetch(link)).status).toBe(200);
  await page.goto(link.href);
  const password = 'nine purple walruses waltz';
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await mail.mailTo(owner, /Your password was changed/);

  const other = await visitor(service.dashboard);
  await other.goto(link.href);
  await expectPage(other.getByText('This link has expired, or it has been used or withdrawn.')).toBeVisible();
  await other.goto('/sign-in');
  await signIn(other, owner, password);
  await mail.mailTo(owner, /New sign-in to Rollcall/);
  expect(await service.stop()).toBe(0);
  expect(service.log()).not.toContain(owner);
});

test('a passkey is added in the profile, signs in alone, is asked for as proof, and can be removed', async () => {
  const firm = await openFirm();
  const page = await visitor(firm.service.dashboard, {});
  await addAuthenticator(page);
  await page.goto('/sign-in');
  await signIn(page, firm.owner);
  await page.goto('/production/settings/profile');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name').fill('Laptop');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectPage(page.getByRole('dialog', { name: 'Your recovery codes' })).toBeVisible();
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await expectPage(page.getByText('10 recovery codes left.')).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await page.goto('/production/settings/profile');
  await expectPage(page.getByText(/last used/)).toBeVisible();

  // As after ten minutes.
  await page.route('**/console/profile/recovery-codes', (route) => route.fulfill(PROOF_REQUIRED), { times: 1 });
  await page.getByRole('button', { name: 'Make new recovery codes' }).click();
  await page.getByRole('button', { name: 'Make new codes' }).click();
  const prompt = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expectPage(prompt.getByLabel('Recovery code')).toBeVisible();
  await prompt.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'I have stored them' }).click();

  await page.getByRole('button', { name: 'Remove the passkey Laptop' }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await expectPage(page.getByText(/^Off\. With a passkey/)).toBeVisible();
  await page.goto('/production/settings/activity');
  await expectPage(page.getByText('Added the passkey Laptop')).toBeVisible();
  await expectPage(page.getByText('Removed the passkey Laptop')).toBeVisible();

  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expectPage(page.getByRole('alert')).toHaveText('This passkey is not known here. It may have been removed.');
});

test('the address of this machine leads to its name, which passkeys need', async () => {
  const { service } = await openFirm();
  expect(service.dashboard).toMatch(/^http:\/\/localhost:\d+$/);
  for (const host of ['127.0.0.1', '[::1]']) {
    const address = service.dashboard.replace('localhost', host);
    const answer = await fetch(`${address}/sandbox/clients?page=2`, { redirect: 'manual' }).catch((error) => error);
    // Not every machine has the second address.
    if (host === '[::1]' && answer instanceof Error) continue;
    expect([answer.status, answer.headers.get('location')]).toEqual([
      307,
      `${service.dashboard}/sandbox/clients?page=2`,
    ]);
  }
});

test('an installation without mail says who can help with a forgotten password', async () => {
  const { service } = await openFirm();
  const page = await visitor(service.dashboard);
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expectPage(page.getByText('This installation sends no mail.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
});

test('the password form asks for the length that the member needs, with one message beside the right field', async () => {
  const page = await signedIn(await openFirm());
  await page.goto('/production/settings/profile');
  const change = async (password: string, newPassword: string) => {
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill(newPassword);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await change(PASSWORD, 'short');
  await expectPage(page.getByText('New password must have at least 15 characters.')).toBeVisible();
  await expectPage(page.getByText(/at least \d+ characters/i)).toHaveCount(1);
  await change(PASSWORD, 'passwordpassword');
  await expectPage(page.getByLabel('New password')).toHaveAccessibleDescription(/^New password is too common/);
  await change('not the password', 'nine purple walruses waltz');
  await expectPage(page.getByText('Current password is not correct.')).toBeVisible();

  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expectPage(page.getByText('Code is not correct, or was used before; enter a current one.')).toBeVisible();
});

test('a second factor is added by QR code or key, its recovery codes are shown once, and each gets a member back in', async () => {
  const firm = await openFirm();
  const page = await signedIn(firm);
  await page.goto('/production/settings/profile');
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await expectPage(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = (await page.locator('pre').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();

  const dialog = page.getByRole('dialog', { name: 'Your recovery codes' });
  const codes = (await dialog.locator('pre').innerText()).split('\n');
  expect(codes).toHaveLength(10);
  // Neither closes the dialog, nor opens another page.
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download' }).click(),
  ]);
  const [title, ...stored] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(title).toBe(`Recovery codes of ${firm.owner} at Firm on Rollcall`);
  expect(stored).toEqual(['', ...codes]);
  await dialog.getByRole('button', { name: 'I have stored them' }).click();
  await expectPage(page.getByText('10 recovery codes left.')).toBeVisible();

  // The app is lost.
  const elsewhere = await visitor(firm.service.dashboard);
  await elsewhere.goto('/sign-in?next=/production/settings/profile');
  await elsewhere.getByLabel('Email').fill(firm.owner);
  await elsewhere.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await elsewhere.getByRole('button', { name: 'Sign in' }).click();
  await elsewhere.getByLabel('One-time code').fill('not-a-code');
  await elsewhere.getByRole('button', { name: 'Sign in' }).click();
  await expectPage(elsewhere.getByRole('alert')).toHaveText('The email, password or code is not correct.');
  await elsewhere.getByLabel('One-time code').fill(codes[0] ?? '');
  await elsewhere.getByRole('button', { name: 'Sign in' }).click();
  await expectPage(elsewhere.getByText('9 recovery codes left.')).toBeVisible();

  await elsewhere.getByRole('button', { name: 'Make new recovery codes' }).click();
  await elsewhere.getByRole('button', { name: 'Make new codes' }).click();
  const renewed = elsewhere.getByRole('dialog', { name: 'Your recovery codes' });
  const [newest = ''] = (await renewed.locator('pre').innerText()).split('\n');
  expect(codes).not.toContain(newest);
  await renewed.getByRole('button', { name: 'I have stored them' }).click();
  await expectPage(elsewhere.getByText('10 recovery codes left.')).toBeVisible();

  await elsewhere.getByRole('button', { name: 'Remove authenticator app' }).click();
  const removal = elsewhere.getByRole('dialog', { name: 'Remove your authenticator app?' });
  await removal.getByLabel('Password').first().fill(PASSWORD);
  await removal.getByLabel('Code').fill(codes[1] ?? '');
  await removal.getByRole('button', { name: 'Remove authenticator app' }).click();
  await expectPage(removal.getByText('Code is not correct, or was used before; enter a current one.')).toBeVisible();
  await removal.getByLabel('Code').fill(newest);
  await removal.getByRole('button', { name: 'Remove authenticator app' }).click();
  await expectPage(elsewhere.getByRole('button', { name: 'Add authenticator app' })).toBeVisible();
});
