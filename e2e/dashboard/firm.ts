import type { BrowserContextOptions, Page } from '@playwright/test';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { OPERATOR } from '../../packages/server/src/domain/change.ts';
import { newDatabase } from '../../packages/server/src/testing/test-store.ts';
import { expectPage, useBrowser, visitor } from '../browser.ts';
import { databaseForFile } from '../database-for-file.ts';
import { Program, type Serving } from '../program.ts';
import { createTestAccount, PASSWORD, withStore } from '../test-account.ts';

/** An account of its own on the service that the test file shares. */
export interface Firm {
  program: Program;
  service: Serving;
  /** The owner's email, which also names the account. */
  owner: string;
}

let shared: { program: Program; service: Serving } | undefined;
let firms = 0;

/** Starts the browser and the service of a test file. Firms see nothing of each other, so they can share both. */
export function useDashboard(): void {
  useBrowser();
  const cleanUps: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    const onFinished = (cleanUp: () => Promise<void> | void) => void cleanUps.unshift(cleanUp);
    const program = new Program(await databaseForFile(onFinished), onFinished);
    shared = { program, service: await program.serve() };
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
}

/** The real program on a new database of the engine under test, for tests of a whole installation. */
export async function openProgram(): Promise<Program> {
  return new Program({ ROLLCALL_DATABASE_URL: await newDatabase(inject('engine')) });
}

/** A new account with sample clients in its sandbox. */
export async function openFirm({ name = 'Firm', clients = 0, groups = 3 } = {}): Promise<Firm> {
  if (!shared) throw new Error('The test file does not call useDashboard().');
  const owner = `owner${++firms}@firm.example`;
  await createTestAccount(shared.program, { name, email: owner, environment: 'sandbox', clients, groups });
  return { ...shared, owner };
}

/** A page in which the owner is signed in. */
export async function signedIn({ service, owner }: Firm, options?: BrowserContextOptions): Promise<Page> {
  const page = await visitor(service.dashboard, options);
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(`The service has logged:\n${service.log()}\n`);
  });
  const answer = await fetch(`${service.dashboard}/console/session`, {
    method: 'POST',
    headers: { origin: service.dashboard, 'content-type': 'application/json' },
    body: JSON.stringify({ email: owner, password: PASSWORD }),
  });
  const [cookie = ''] = answer.headers.getSetCookie();
  const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
  await page.context().addCookies([{ name, value, url: service.dashboard, httpOnly: true, sameSite: 'Strict' }]);
  return page;
}

/** Signs in on the sign-in page, as a person would. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
}

/** Lets the time pass for which a password counts as recently entered. */
export async function forgetPassword({ program, owner }: Firm, page: Page): Promise<void> {
  const profile = await (await page.request.get('/console/profile')).json();
  const { session_id: id } = profile.data.sessions.find((session: { is_current: boolean }) => session.is_current);
  await withStore(program, async (store) => {
    const [found] = await store.credentials.byEmail(owner);
    const { accountId, id: memberId } = found?.member ?? { accountId: 0, id: 0 };
    await store.changeAccount({ accountId, actor: OPERATOR, at: Date.now() - 3_600_000 }, async (change) => {
      change.record('sign-in.proved', owner);
      await change.sessions.prove(memberId, { id, tokenHash: 'stays' }, 'unused');
    });
  });
}

/** A page in a new browser in which somebody has joined the firm as a viewer, by the link that the owner got. */
export async function joinAsViewer(firm: Firm): Promise<Page> {
  const owner = await signedIn(firm);
  await owner.goto('/sandbox/settings/members');
  await owner.getByRole('button', { name: 'Invite member' }).click();
  await owner.getByLabel('Email').fill('viewer@firm.example');
  await owner.getByRole('button', { name: 'Create link' }).click();
  return join(firm, await owner.locator('pre').innerText());
}

/** A page in a new browser in which somebody has joined with the link. */
export async function join({ service }: Firm, link: string): Promise<Page> {
  const page = await visitor(service.dashboard);
  await page.goto(link);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL('**/overview');
  return page;
}
