import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  expect,
  type Page,
} from '@playwright/test';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

const FOUND = fileURLToPath(new URL('../node_modules/.rollcall-chromium', import.meta.url));
const ACTION_TIMEOUT_MS = 60_000;

/** Waits until a page is as it should be; on a small, busy machine slow is not wrong. */
export const expectPage = expect.configure({ timeout: ACTION_TIMEOUT_MS });

let browser: Browser | undefined;

/** Starts the one browser of a test file. Every visitor in it has a fresh profile. */
export function useBrowser(): void {
  beforeAll(async () => {
    // As root, Chromium cannot use its own sandbox; the pages are ours.
    browser = await chromium.launch({ executablePath: executablePath(), args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
  });
}

/**
 * Somebody at a browser of their own, who wants nothing to move: what a test sees must not depend on the moment. Whatever a
 * page reports as an error fails the test.
 */
export async function visitor(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  if (!browser) throw new Error('The test file does not call useBrowser().');
  const context = await browser.newContext({ baseURL: address, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const page = await context.newPage();
  const errors = pageErrors(context);
  onTestFinished(async () => {
    await context.close();
    if (errors.length > 0) throw new Error(`The page reported: ${errors.join('; ')}`);
  });
  return page;
}

function pageErrors(context: BrowserContext): string[] {
  const errors: string[] = [];
  context.on('weberror', (error) => errors.push(error.error().message));
  context.on('console', (message) => {
    // What the console refuses shows up as a failed load; that is for the test to judge.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) errors.push(message.text());
  });
  return errors;
}

function executablePath(): string {
  const path = process.env.ROLLCALL_CHROMIUM ?? (existsSync(FOUND) ? readFileSync(FOUND, 'utf8') : undefined);
  if (!path) throw new Error('No browser was looked for yet: run `node scripts/setup.mjs --browser`.');
  return path;
}
