import { readPage } from '../peers/api-calls.ts';
import { authorizationOf, type BenchServer, type ServerSet } from '../peers/servers.ts';
import type { Bench } from './bench.ts';
import { randomPage } from './load.ts';
import { measureInTurns, type Workload, warmUp } from './measure-in-turns.ts';
import { randomFrom } from './random.ts';
import {
  FILTER_NAMES,
  FILTERS,
  type FilterName,
  firstPageOf,
  listPath,
  ONE_EMAIL,
  randomPageOf,
  randomPageOneAtATime,
  TOKEN_EXCHANGE,
  TOKEN_PATH,
} from './workloads.ts';

const PAGES_COMPARED = 3;
/** Thousands of different emails, from so many random pages of a thousand clients. */
const PAGES_OF_EMAILS = 5;

/** Measures first and random pages with each filter, clients by email, and the token exchange, at one size. */
export async function measureLists(bench: Bench, clients: number, servers: ServerSet, apiKey: string): Promise<void> {
  for (const filter of FILTER_NAMES) await measureFilter(bench, clients, servers, filter);
  await measureEmails(bench, clients, servers);
  await measureTokenExchange(bench, clients, servers, apiKey);
}

async function measureFilter(bench: Bench, clients: number, servers: ServerSet, filter: FilterName): Promise<void> {
  const { ceiling, query, cached, uncached } = servers;
  const usual = servers.usual ? [servers.usual] : [];
  const path = listPath(FILTERS[filter]);
  const { total_pages: pages } = await readPage(uncached.address, uncached.token, FILTERS[filter]);
  const first: Workload = { name: firstPageOf(filter), choices: [{ path }] };
  const random: Workload = { name: randomPageOf(filter), choices: [randomPage(path, pages)] };
  const single: Workload = { ...random, name: randomPageOneAtATime(filter), connections: 1 };

  // The bare servers do not know filters. The usual one does, but it would take most of the time of the run.
  const isWhole = filter === 'whole list';
  await compareAnswers(FILTERS[filter], pages, uncached, [...usual, cached, ...(isWhole ? [query] : [])]);
  if (isWhole) {
    await ceiling.answerLike(uncached.address, path, authorizationOf(uncached));
    const warmed = [ceiling, query, cached, uncached];
    for (const workload of [first, random]) await warmServers(bench, workload, warmed);
  }
  const all = isWhole ? [ceiling, ...usual, query, cached, uncached] : [cached, uncached];
  await measureInTurns(bench, clients, first, all);
  await measureInTurns(bench, clients, random, all);
  await measureInTurns(bench, clients, single, isWhole ? [...usual, query, uncached] : [uncached]);
}

async function measureEmails(bench: Bench, clients: number, servers: ServerSet): Promise<void> {
  const { ceiling, query, cached, uncached } = servers;
  const emails = await someEmails(uncached);
  const choices = emails.map((email) => ({ path: listPath(`client_email=${encodeURIComponent(email)}`) }));
  const workload: Workload = { name: ONE_EMAIL, choices };
  await ceiling.answerLike(uncached.address, choices[0]?.path ?? '', authorizationOf(uncached));
  await warmServers(bench, workload, [ceiling, query, cached, uncached]);
  const usual = servers.usual ? [servers.usual] : [];
  await measureInTurns(bench, clients, workload, [ceiling, ...usual, query, cached, uncached]);
}

async function someEmails({ address, token }: BenchServer): Promise<string[]> {
  const random = randomFrom(1);
  const { total_pages: pages } = await readPage(address, token, 'page_limit=1000');
  const emails = new Set<string>();
  for (let read = 0; read < PAGES_OF_EMAILS; read++) {
    const number = 1 + Math.floor(random() * pages);
    const { results } = await readPage(address, token, `page_limit=1000&page_no=${number}`);
    for (const { email } of results) emails.add(email);
  }
  return [...emails];
}

async function measureTokenExchange(bench: Bench, clients: number, servers: ServerSet, apiKey: string): Promise<void> {
  const { ceiling, query, cached } = servers;
  const headers = { 'api-key': apiKey };
  const workload: Workload = { name: TOKEN_EXCHANGE, choices: [{ path: TOKEN_PATH }], headers };
  await ceiling.answerLike(cached.address, TOKEN_PATH, headers);
  await warmServers(bench, workload, [ceiling, query, cached]);
  await measureInTurns(bench, clients, workload, [ceiling, query, cached]);
}

/** The usual server is not warmed up: it spends its time in SQLite. */
function warmServers(bench: Bench, workload: Workload, servers: BenchServer[]): Promise<void> {
  return warmUp(
    bench,
    servers.map((server) => ({ server, workload })),
  );
}

/** Requires that all servers give the same response to the same request. The bare query has no totals. */
async function compareAnswers(
  filter: string,
  pages: number,
  trusted: BenchServer,
  others: BenchServer[],
): Promise<void> {
  const random = randomFrom(pages);
  for (let compared = 0; compared < PAGES_COMPARED; compared++) {
    const query = `${filter}${filter && '&'}page_no=${1 + Math.floor(random() * pages)}`;
    const expected = await readPage(trusted.address, trusted.token, query);
    for (const other of others) {
      const answer = await readPage(other.address, other.token, query);
      const same = JSON.stringify({ ...expected, ...answer }) === JSON.stringify(expected);
      if (!same) throw new Error(`${other.row} and ${trusted.row} differ on ${query}.`);
    }
  }
}
