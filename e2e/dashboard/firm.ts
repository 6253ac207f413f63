import type { Page } from '@playwright/test';
import { inject } from 'vitest';
import { newDatabase } from '../../packages/server/src/testing/test-store.ts';
import { expectPage, visitor } from '../browser.ts';
import { Program, type Serving } from '../program.ts';

export const OWNER = 'owner@firm.example';
export const PASSWORD = 'otters juggle seven lanterns';

export interface Firm {
  program: Program;
  service: Serving;
}

/** The real program on a new database of the engine under test. */
export async function openProgram(): Promise<Program> {
  return new Program({ ROLLCALL_DATABASE_URL: await newDatabase(inject('engine')) });
}

/** The same with an account and sample clients in its sandbox. */
export async function openFirm({ clients = 0, groups = 3 } = {}): Promise<Firm> {
  const program = await openProgram();
  await program.json(['account', 'create', '--name', 'Firm', '--email', OWNER, '--password-stdin'], `${PASSWORD}\n`);
  if (clients > 0) {
    const where = ['--account', OWNER, '--environment', 'sandbox'];
    await program.json(['sample', ...where, '--clients', String(clients), '--groups', String(groups)]);
  }
  return { program, service: await program.serve() };
}

/** A new browser in which the member has signed in. */
export async function signedIn({ service }: Firm, email = OWNER, options = {}): Promise<Page> {
  const page = await visitor(service.dashboard, options);
  await page.goto('/sign-in');
  await signIn(page, email);
  return page;
}

export async function signIn(page: Page, email = OWNER, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectPage(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
}
