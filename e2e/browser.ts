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
const LEAVE_TIMEOUT_MS = 5000;
const SIZE = { width: 1280, height: 720 };
const FLAGS = [
  // Chromium cannot use its sandbox as root. The pages are our own.
  '--no-sandbox',
  // With fewer processes, a page takes a twentieth less processor time.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
];

/** Waits until a page meets the expectation, with a timeout that is long enough for a small, busy machine. */
export const expectPage = expect.configure({ timeout: ACTION_TIMEOUT_MS });

/** A browser profile with a page, and the errors that it has reported. */
interface Visit {
  context: BrowserContext;
  page: Page;
  errors: string[];
}

let browser: Browser | undefined;

/** Profiles that tests have left, by the address of their service. Where the dashboard was open, it opens in half the time. */
const left = new Map<string, Visit[]>();

/** Starts the browser of a test file. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: browserPath(), args: FLAGS });
  });
  afterAll(async () => {
    left.clear();
    await browser?.close();
  });
}

/**
 * A page in an empty browser profile, with reduced motion so that animations do not affect the test. An error that the page
 * reports fails the test. The profile may be one that another test has left, which is emptied; it is a new one if options are
 * given, also if these are `{}`, for a test that leaves more behind than can be emptied.
 */
export async function visitor(address: string, options?: BrowserContextOptions): Promise<Page> {
  const visit = (!options && left.get(address)?.pop()) || (await newVisit(address, options));
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await printPage(visit.page);
    const errors = [...visit.errors];
    if (options || task.result?.state === 'fail') await visit.context.close();
    else await leave(address, visit);
    if (errors.length > 0) throw new Error(`The page reported: ${errors.join('; ')}`);
  });
  return visit.page;
}

async function newVisit(address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  if (!browser) throw new Error('The test file does not call useBrowser().');
  const context = await browser.newContext({ baseURL: address, viewport: SIZE, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  return { context, page: await context.newPage(), errors: pageErrors(context) };
}

/** Empties the profile for another test. The last page shown is one of the same site, so that its process stays. */
async function leave(address: string, { context, page, errors }: Visit): Promise<void> {
  try {
    await Promise.all(context.pages().map((each) => each !== page && each.close()));
    page.removeAllListeners();
    await Promise.all([
      page.unrouteAll({ behavior: 'ignoreErrors' }),
      context.unrouteAll({ behavior: 'ignoreErrors' }),
    ]);
    await page.goto('/favicon.svg', { timeout: LEAVE_TIMEOUT_MS });
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await Promise.all([context.clearCookies(), context.clearPermissions(), page.mouse.move(0, 0)]);
    await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: 'reduce' });
    await page.setViewportSize(SIZE);
    errors.length = 0;
    left.set(address, [...(left.get(address) ?? []), { context, page, errors }]);
  } catch {
    // The service is gone, or the page is.
    await context.close();
  }
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
