import type { BenchOptions } from '../options.ts';
import { readPage } from '../peers/api-calls.ts';
import { authorizationOf, type BenchServer, type ServerSet } from '../peers/servers.ts';
import type { Results } from '../report/results.ts';
import type { LoadGenerator } from './load.ts';
import { measureInTurns, type Workload, warmUp } from './measure-in-turns.ts';
import { randomFrom } from './random.ts';
import {
  FILTER_NAMES,
  FILTERS,
  firstPageOf,
  listPath,
  ONE_EMAIL,
  randomPageOf,
  randomPageOneAtATime,
  TOKEN_EXCHANGE,
  TOKEN_PATH,
} from './workloads.ts';

const PAGES_COMPARED = 3;

/** Measures first and random pages with each filter, one client by email, and the token exchange, at one size. */
export async function measureLists(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  clients: number,
  servers: ServerSet,
  apiKey: string,
): Promise<void> {
  const { ceiling, usual, cached, uncached } = servers;
  const measure = (workload: Omit<Workload, 'clients'>, servers: BenchServer[]) =>
    measureInTurns(generator, options, results, { clients, ...workload }, servers);
  const model = (path: string) => ceiling.answerLike(uncached.address, path, authorizationOf(uncached));

  const { total_pages: randomPages } = await readPage(uncached.address, uncached.token, '');
  await warmUp(generator, options, { clients, path: listPath(''), randomPages }, [ceiling, cached, uncached]);
  for (const filter of FILTER_NAMES) {
    const path = listPath(FILTERS[filter]);
    const { total_pages: randomPages } = await readPage(uncached.address, uncached.token, FILTERS[filter]);
    await compareAnswers(FILTERS[filter], randomPages, usual, [cached, uncached]);
    await model(path);
    // The bare server sends the same response to every request, so it is measured with one list only.
    const servers = filter === 'whole list' ? [ceiling, usual, cached, uncached] : [usual, cached, uncached];
    await measure({ name: firstPageOf(filter), path }, servers);
    await measure({ name: randomPageOf(filter), path, randomPages }, servers);
    await measure({ name: randomPageOneAtATime(filter), path, randomPages, connections: 1 }, [usual, uncached]);
  }

  const { results: someone } = await readPage(cached.address, cached.token, 'page_limit=1&page_no=77');
  const byEmail = listPath(`client_email=${encodeURIComponent(someone[0]?.email ?? '')}`);
  await model(byEmail);
  await measure({ name: ONE_EMAIL, path: byEmail }, [ceiling, usual, cached, uncached]);

  const headers = { 'api-key': apiKey };
  await ceiling.answerLike(cached.address, TOKEN_PATH, headers);
  await measure({ name: TOKEN_EXCHANGE, path: TOKEN_PATH, headers }, [ceiling, cached]);
}

/** Requires that all servers give the same response to the same request. */
export async function compareAnswers(
  filter: string,
  pages: number,
  trusted: BenchServer,
  others: BenchServer[],
): Promise<void> {
  const random = randomFrom(pages);
  for (let compared = 0; compared < PAGES_COMPARED; compared++) {
    const query = `${filter}${filter && '&'}page_no=${1 + Math.floor(random() * pages)}`;
    const expected = JSON.stringify(await readPage(trusted.address, trusted.token, query));
    for (const other of others) {
      const answer = JSON.stringify(await readPage(other.address, other.token, query));
      if (answer !== expected) throw new Error(`${other.row} and ${trusted.row} differ on ${query}.`);
    }
  }
}
