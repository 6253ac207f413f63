// Measures the dashboard in a real browser: how long it takes from a click, or the last key, to the frame that shows the result.
//
//   node bench/dashboard.ts [clients = 1000000] [rounds = 15] [sqlite or postgres = sqlite]
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { ENGINE_TITLES } from './engines.ts';
import { preparePostgres, startPostgres } from './peers/bench-postgres.ts';
import { ACCOUNT, serve } from './peers/rollcall.ts';
import { prepareData } from './prepare-data.ts';

const FOUND = fileURLToPath(new URL('../node_modules/.rollcall-chromium', import.meta.url));
const clients = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 15);
const engine = process.argv[4] === 'postgres' ? 'postgres' : 'sqlite';

interface Action {
  name: string;
  /** The median must be at most this many milliseconds. */
  goalMs: number;
  /** Where it begins. */
  path(round: number): string;
  /** Clicks or types; the time runs from the last click or key. */
  act(page: Page, round: number): Promise<void>;
  /** Runs in the page: whether the result is shown. Before the action it must be false. */
  isShown: string;
}

const ROWS = `document.querySelector('.clients-table tbody')?.innerText`;
const IS_LOADED = `!document.querySelector('[aria-busy=true]')`;
const HAS_NEW_ROWS = `${IS_LOADED} && ${ROWS} !== undefined && ${ROWS} !== window.before`;

/** Words that many, some and few of the sample clients have. */
const WORDS = ['maria', 'okafor', 'fat', 'keller gmbh', 'ltd'];

const ACTIONS: Action[] = [
  {
    name: 'next page of the list',
    goalMs: 200,
    path: (round) => `/production/clients?page=${2 + round * 1000}`,
    act: (page) => page.getByRole('button', { name: 'Next page' }).click(),
    isShown: HAS_NEW_ROWS,
  },
  {
    name: 'status tab',
    goalMs: 200,
    path: (round) => `/production/clients?page=${2 + round}`,
    act: (page, round) =>
      page
        .locator('.status-tabs a')
        .nth(1 + (round % 5))
        .click(),
    isShown: HAS_NEW_ROWS,
  },
  {
    name: 'filter by type',
    goalMs: 200,
    path: (round) => `/production/clients?page=${2 + round}`,
    act: async (page, round) => {
      await page.getByRole('combobox', { name: 'Type', exact: true }).click();
      await page
        .getByRole('option')
        .nth(round % 2)
        .click();
    },
    isShown: HAS_NEW_ROWS,
  },
  {
    name: 'next client',
    goalMs: 200,
    path: (round) => `/production/clients?status=pending&order=oldest&page=${1 + round * 100}`,
    act: async (page) => {
      await page.locator('.row-link').first().click();
      await page.getByRole('button', { name: 'Next', exact: true, disabled: false }).waitFor();
      // The heading of the list is gone for a moment before the name of the client is there.
      const name = JSON.stringify(await page.locator('h1').innerText());
      await page.evaluate(`window.before = ${name}`);
      await page.getByRole('button', { name: 'Next', exact: true }).click();
    },
    isShown: `${IS_LOADED} && document.querySelector('h1')?.innerText !== window.before && document.querySelector('.timeline')`,
  },
  {
    name: 'search, from the last key',
    goalMs: 300,
    path: () => '/production/clients',
    act: async (page, round) => {
      const word = WORDS[round % WORDS.length] ?? '';
      // At the speed of somebody who types fast, then slowly.
      await page
        .getByLabel('Search by words of the name, email or IDs')
        .pressSequentially(word, { delay: round % 2 ? 60 : 160 });
    },
    isShown: `${IS_LOADED} && new URL(location).searchParams.get('search') === document.getElementById('client-search').value && ${ROWS} !== window.before`,
  },
  {
    name: 'overview',
    goalMs: 400,
    path: () => '/production/groups',
    act: (page) => page.getByRole('link', { name: 'Overview' }).click(),
    isShown: `${IS_LOADED} && document.querySelector('h1')?.innerText === 'Overview' && document.querySelectorAll('.columns i').length > 0`,
  },
];

const prepared = await prepareData(clients);
const postgres = engine === 'postgres' ? await startPostgres() : undefined;
const { databaseUrl, password } = postgres ? await preparePostgres(postgres, prepared) : prepared;
const service = await serve('dashboard', databaseUrl);
const browser = await chromium.launch({
  executablePath: process.env.ROLLCALL_CHROMIUM ?? readFileSync(FOUND, 'utf8').trim(),
  args: ['--no-sandbox'],
});
try {
  const page = await signedIn(browser, service.dashboard, password);
  for (const action of ACTIONS) {
    const times: number[] = [];
    // The first round loads the scripts of the page.
    for (let round = -1; round < rounds; round++) {
      const elapsed = await measure(page, action, Math.max(0, round));
      if (round >= 0) times.push(elapsed);
    }
    const sorted = times.sort((a, b) => a - b);
    const [median = 0, slowest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    const verdict = median <= action.goalMs ? 'reached' : 'MISSED';
    process.stdout.write(
      `${action.name.padEnd(28)} median ${median.toFixed(0).padStart(5)} ms, slowest ${slowest.toFixed(0).padStart(5)} ms, goal ${action.goalMs} ms: ${verdict}\n`,
    );
  }
  process.stdout.write(
    `${clients} clients, ${rounds} rounds, ${ENGINE_TITLES[engine]}, in Chromium on the same machine\n`,
  );
} finally {
  await browser.close();
  await service.stop();
  await postgres?.stop();
}

async function measure(page: Page, { path, act, isShown }: Action, round: number): Promise<number> {
  await page.goto(path(round));
  await page.waitForFunction(
    `${IS_LOADED} && document.querySelector('h1') && document.querySelector('table, .columns')`,
  );
  await page.evaluate(`
    window.before = ${ROWS};
    const begin = () => { window.begun = performance.now(); };
    addEventListener('pointerdown', begin, { capture: true });
    addEventListener('keydown', begin, { capture: true });`);
  await act(page, round);
  // Asked once per frame, so the answer is the time of the first frame that shows the result.
  return page.evaluate(`new Promise((resolve) => {
    const look = (now) => ((${isShown}) ? resolve(now - window.begun) : requestAnimationFrame(look));
    requestAnimationFrame(look);
  })`);
}

async function signedIn(browser: Browser, address: string, password: string): Promise<Page> {
  // What is asked in the page is a script of its own, which its policy would refuse.
  const context = await browser.newContext({ baseURL: address, reducedMotion: 'reduce', bypassCSP: true });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(ACCOUNT);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/overview');
  return page;
}
