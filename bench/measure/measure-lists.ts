import type { BenchOptions } from '../options.ts';
import { readPage } from '../peers/api.ts';
import { type Contender, type Field, headersFor } from '../peers/contenders.ts';
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
  randomPageAlone,
  randomPageOf,
  TOKEN_EXCHANGE,
  TOKEN_PATH,
} from './workloads.ts';

const PAGES_COMPARED = 3;

/** Every list at this size: first and random pages of each filter, one client, and the token exchange. */
export async function measureLists(
  generator: LoadGenerator,
  options: BenchOptions,
  results: Results,
  clients: number,
  field: Field,
  apiKey: string,
): Promise<void> {
  const { ceiling, usual, cached, uncached } = field;
  const measure = (workload: Omit<Workload, 'clients'>, contenders: Contender[]) =>
    measureInTurns(generator, options, results, { clients, ...workload }, contenders);
  const model = (path: string) => ceiling.answerLike(uncached.address, path, headersFor(uncached));

  const { total_pages: randomPages } = await readPage(uncached.address, uncached.token, '');
  await warmUp(generator, options, { clients, path: listPath(''), randomPages }, [ceiling, cached, uncached]);
  for (const filter of FILTER_NAMES) {
    const path = listPath(FILTERS[filter]);
    const { total_pages: randomPages } = await readPage(uncached.address, uncached.token, FILTERS[filter]);
    await compareAnswers(FILTERS[filter], randomPages, usual, [cached, uncached]);
    await model(path);
    // The bare server does not care what it is asked, so it is measured on one list only.
    const field = filter === 'whole list' ? [ceiling, usual, cached, uncached] : [usual, cached, uncached];
    await measure({ name: firstPageOf(filter), path }, field);
    await measure({ name: randomPageOf(filter), path, randomPages }, field);
    await measure({ name: randomPageAlone(filter), path, randomPages, connections: 1 }, [usual, uncached]);
  }

  const { results: someone } = await readPage(cached.address, cached.token, 'page_limit=1&page_no=77');
  const byEmail = listPath(`client_email=${encodeURIComponent(someone[0]?.email ?? '')}`);
  await model(byEmail);
  await measure({ name: ONE_EMAIL, path: byEmail }, [ceiling, usual, cached, uncached]);

  const headers = { 'api-key': apiKey };
  await ceiling.answerLike(cached.address, TOKEN_PATH, headers);
  await measure({ name: TOKEN_EXCHANGE, path: TOKEN_PATH, headers }, [ceiling, cached]);
}

/** A fast answer is worth nothing unless it is the same answer. */
export async function compareAnswers(
  filter: string,
  pages: number,
  trusted: Contender,
  others: Contender[],
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
