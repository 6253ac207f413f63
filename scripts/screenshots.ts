// Takes the screenshots of the dashboard in docs/screenshots, with sample data, the real program and a real browser.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'packages/server/bin/rollcall.js');
const SCREENSHOTS = join(ROOT, 'docs/screenshots');
const OWNER = 'owner@keller.example';
const PASSWORD = 'otters juggle seven lanterns';
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 780 } };

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
  addSampleData();
  const service = spawn(process.execPath, [BIN, 'serve', '--json'], {
    ...settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [ready] = await once(service.stdout, 'data');
  const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
  await captureAll(browser, JSON.parse(String(ready)).dashboard);
  await browser.close();
  service.kill();
  await once(service, 'exit');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function addSampleData(): void {
  run(['account', 'create', '--name', 'Keller & Sons', '--email', OWNER, '--password-stdin'], `${PASSWORD}\n`);
  const target = ['--account', OWNER, '--environment', 'production'];
  run(['sample', ...target, '--clients', '12000', '--groups', '7']);
  run(['key', 'create', ...target, '--name', 'Billing export']);
}

function run(args: string[], input = ''): void {
  const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], { ...settings, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

async function captureAll(browser: Browser, address: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const desktop = await signedIn(browser, { baseURL: address, ...DESKTOP, colorScheme: 'light' });
  await openAndCapture(desktop, '/production/overview', 'overview');
  await openAndCapture(desktop, '/production/clients?status=pending&type=company', 'clients');
  await desktop.locator('.row-link').nth(2).click();
  await desktop.getByRole('button', { name: 'Complete' }).click();
  await desktop.getByText('Pending → Completed').waitFor();
  await capture(desktop, 'client');
  await openAndCapture(desktop, '/production/groups', 'groups');
  await desktop.goto('/production/settings/api-credentials');
  await desktop.getByRole('button', { name: 'Create API key' }).click();
  await desktop.getByLabel('Name').fill('Nightly sync');
  await desktop.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  await desktop.getByRole('button', { name: 'I have copied it' }).waitFor();
  await capture(desktop, 'api-credentials');

  const dark = await signedIn(browser, { baseURL: address, ...DESKTOP, colorScheme: 'dark' });
  await openAndCapture(dark, '/production/overview', 'overview-dark');
  const phone = await signedIn(browser, { baseURL: address, ...PHONE, colorScheme: 'light' });
  await openAndCapture(phone, '/production/clients', 'clients-phone');
}

async function signedIn(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext({ ...options, locale: 'en-GB', reducedMotion: 'reduce' })).newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(OWNER);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/overview');
  return page;
}

async function openAndCapture(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  await capture(page, name);
}

async function capture(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), animations: 'disabled' });
}

function browserPath(): string {
  return process.env.ROLLCALL_CHROMIUM ?? readFileSync(join(ROOT, 'node_modules/.rollcall-chromium'), 'utf8');
}
