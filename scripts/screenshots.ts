// Takes screenshots of every page of the dashboard, with sample data, the real program and a real browser: of each page in the
// light and the dark theme, on a desktop and on a phone, into the folder `screenshots`, which is not kept in the repository, and
// those of the README into docs/screenshots.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'packages/server/bin/rollcall.js');
const ALL = join(ROOT, 'screenshots');
const OF_README = join(ROOT, 'docs/screenshots');
const OWNER = 'owner@keller.example';
const API_CALLS = 48;
const PASSWORD = 'otters juggle seven lanterns';
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 780 };

/** What stands where something is still missing. */
const LOADING = '[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root';

/** Every page by its name, and how it is opened. */
const PAGES: Record<string, string | ((page: Page) => Promise<unknown>)> = {
  overview: '/production/overview',
  clients: '/production/clients?status=pending&type=company',
  search: '/production/clients?search=ma%20web',
  selection: async (page) => {
    await page.goto('/production/clients');
    for (const row of [1, 2, 3]) await page.getByRole('checkbox').nth(row).check();
  },
  client: openClient,
  review: '/production/review',
  groups: '/production/groups',
  import: '/production/import',
  'api-credentials': '/production/settings/api-credentials',
  'new-api-key': async (page) => {
    await page.goto('/production/settings/api-credentials');
    await page.getByRole('button', { name: 'Create API key' }).first().click();
    await page.getByLabel('Name').fill('Nightly sync');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).waitFor();
  },
  'api-key': async (page) => {
    await page.goto('/production/settings/api-credentials');
    await page.getByRole('link', { name: 'Billing export' }).click();
    await page.getByRole('heading', { level: 1, name: 'Billing export' }).waitFor();
  },
  members: '/production/settings/members',
  activity: '/production/settings/activity',
  profile: '/production/settings/profile',
  palette: async (page) => {
    await page.goto('/production/overview');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
  },
  'empty-sandbox': '/sandbox/overview',
  'not-found': '/production/nowhere',
};

/** What the README shows: a page, a theme and a device. */
const IN_README = [
  'overview-light-desktop',
  'clients-light-desktop',
  'review-light-desktop',
  'client-dark-desktop',
  'clients-light-phone',
];

const folder = mkdtempSync(join(tmpdir(), 'rollcall-screenshots-'));
const settings = {
  cwd: folder,
  env: {
    PATH: process.env.PATH,
    ROLLCALL_PRODUCTION_PORT: '0',
    ROLLCALL_SANDBOX_PORT: '0',
    ROLLCALL_DASHBOARD_PORT: '0',
    ROLLCALL_DRAIN_SECONDS: '0',
    ROLLCALL_LOG_LEVEL: 'warn',
  },
};

try {
  const apiKey = addSampleData();
  const service = spawn(process.execPath, [BIN, 'serve', '--json'], {
    ...settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [ready] = await once(service.stdout, 'data');
  const { production, dashboard } = JSON.parse(String(ready));
  await callApi(production, apiKey);
  const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
  await captureAll(browser, dashboard);
  await browser.close();
  service.kill();
  await once(service, 'exit');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the API key that was created. */
function addSampleData(): string {
  run(['account', 'create', '--name', 'Keller & Sons', '--email', OWNER, '--password-stdin'], `${PASSWORD}\n`);
  const target = ['--account', OWNER, '--environment', 'production'];
  run(['sample', ...target, '--clients', '12000', '--groups', '7']);
  const [apiKey] = run(['key', 'create', ...target, '--name', 'Billing export']).match(/rc_production_\w+/) ?? [];
  if (apiKey === undefined) throw new Error('No API key was printed.');
  return apiKey;
}

function run(args: string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    ...settings,
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** As a program would, so that the pages show an account in use, and not its first steps. */
async function callApi(address: string, apiKey: string): Promise<void> {
  const token = await call(`${address}/api/v1/generate-access-token/`, { 'api-key': apiKey });
  const { data } = (await token.json()) as { data: { access_token: string } };
  const headers = { Authorization: `Bearer ${data.access_token}` };
  for (let page = 1; page <= API_CALLS; page++) {
    await call(`${address}/api/v1/clients-list/?page_no=${page}`, headers);
  }
}

async function call(address: string, headers: Record<string, string>): Promise<Response> {
  const response = await fetch(address, { headers });
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  return response;
}

async function captureAll(browser: Browser, address: string): Promise<void> {
  mkdirSync(ALL, { recursive: true });
  mkdirSync(OF_README, { recursive: true });
  for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    for (const theme of ['light', 'dark'] as const) {
      const options = { baseURL: address, viewport, colorScheme: theme };
      const stranger = await visitor(browser, options);
      await stranger.goto('/sign-in');
      await capture(stranger, `sign-in-${theme}-${device}`);
      const page = await signedIn(browser, options);
      for (const [name, open] of Object.entries(PAGES)) {
        if (typeof open === 'string') await page.goto(open);
        else await open(page);
        await capture(page, `${name}-${theme}-${device}`);
      }
    }
  }
}

async function openClient(page: Page): Promise<void> {
  await page.goto('/production/clients?status=pending&type=company');
  await page.locator('.row-link').nth(2).click();
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.getByText('Pending → Completed').waitFor();
}

async function visitor(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  return (await browser.newContext({ ...options, locale: 'en-GB', reducedMotion: 'reduce' })).newPage();
}

async function signedIn(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const page = await visitor(browser, options);
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(OWNER);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/overview');
  return page;
}

async function capture(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator(LOADING).first().waitFor({ state: 'detached' });
  await page.waitForTimeout(400);
  for (const target of [ALL, ...(IN_README.includes(name) ? [OF_README] : [])]) {
    await page.screenshot({ path: join(target, `${name}.png`), animations: 'disabled' });
  }
}

function browserPath(): string {
  return process.env.ROLLCALL_CHROMIUM ?? readFileSync(join(ROOT, 'node_modules/.rollcall-chromium'), 'utf8');
}
