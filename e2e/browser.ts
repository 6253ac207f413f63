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
const PRINT_TIMEOUT_MS = 5000;

/** Waits until a page meets the expectation, with a timeout that is long enough for a small, busy machine. */
export const expectPage = expect.configure({ timeout: ACTION_TIMEOUT_MS });

let browser: Browser | undefined;

/** Starts the browser of a test file. Every visitor has a new profile. */
export function useBrowser(): void {
  beforeAll(async () => {
    // Chromium cannot use its sandbox as root. The pages are our own.
    browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
  });
}

/**
 * A page in a new browser profile, with reduced motion so that animations do not affect the test. An error that the page
 * reports fails the test.
 */
export async function visitor(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  if (!browser) throw new Error('The test file does not call useBrowser().');
  const context = await browser.newContext({ baseURL: address, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const page = await context.newPage();
  const errors = pageErrors(context);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await printPage(page);
    await context.close();
    if (errors.length > 0) throw new Error(`The page reported: ${errors.join('; ')}`);
  });
  return page;
}

/** What a page shows instead of what a test expects often says why. */
async function printPage(page: Page): Promise<void> {
  const text = await page.locator('body').innerText({ timeout: PRINT_TIMEOUT_MS }).catch(String);
  process.stderr.write(`${page.url()} shows:\n${text}\n`);
}

function pageErrors(context: BrowserContext): string[] {
  const errors: string[] = [];
  context.on('weberror', (error) => errors.push(error.error().message));
  context.on('console', (message) => {
    // A refused request appears as a failed load, which the test checks itself.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) errors.push(message.text());
  });
  return errors;
}

export function browserPath(): string {
  const path = process.env.ROLLCALL_CHROMIUM ?? (existsSync(FOUND) ? readFileSync(FOUND, 'utf8') : undefined);
  if (!path) throw new Error('No browser is set up yet: run `node scripts/setup.mjs --browser`.');
  return path;
}
