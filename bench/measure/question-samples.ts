import { readPage } from '../peers/api-calls.ts';
import type { BenchServer } from '../peers/servers.ts';
import { NUMBER } from './load.ts';
import { randomFrom, shuffle } from './random.ts';

const REQUEST_STATUSES = ['pending', 'declined', 'completed', 'accepted', 'requested'];
const PAGES_READ = 5;
/** As many as there are milliseconds. */
export const NUMBERS_IN_TIMES = 999;

/** Filters with values that occur in the data, other ones each time. */
export interface QuestionSamples {
  /** From a quarter to a half of the time in which clients were created. */
  range(): string;
  /** A range that begins at another millisecond in every request, so that nothing is known about it beforehand. */
  newRange(): string;
  statuses(count: number): string;
  groups(count: number): string;
  references(count: number): string;
}

/** The same data and seed give the same samples. */
export async function readQuestionSamples(server: BenchServer, seed: number): Promise<QuestionSamples> {
  const random = randomFrom(seed);
  const { groupTokens, referenceIds, oldest, newest } = await readValues(server, random);
  const some = (name: string, values: readonly string[], count: number) => {
    const shuffled = [...values];
    shuffle(shuffled, random);
    return `${name}=${shuffled.slice(0, count).join(',')}`;
  };
  const range = () => {
    const length = (newest - oldest) * (0.25 + random() / 4);
    const from = oldest + random() * (newest - oldest - length);
    return `created_from=${formatTime(from)}&created_to=${formatTime(from + length)}`;
  };
  return {
    range,
    newRange: () => range().replace(/\.\d+Z/, `.${NUMBER}Z`),
    statuses: (count) => some('request_status', REQUEST_STATUSES, count),
    groups: (count) => some('group_token', groupTokens, count),
    references: (count) => some('reference_id', referenceIds, count),
  };
}

/** Reads the values of random pages of the list. */
async function readValues({ address, token }: BenchServer, random: () => number) {
  const groupTokens = new Set<string>();
  const referenceIds = new Set<string>();
  const { total_pages: pages } = await readPage(address, token, 'page_limit=1000');
  for (let read = 0; read < PAGES_READ; read++) {
    const number = 1 + Math.floor(random() * pages);
    const { results } = await readPage(address, token, `page_limit=1000&page_no=${number}`);
    for (const { group_token } of results) groupTokens.add(group_token);
    for (const { reference_id } of results) referenceIds.add(reference_id);
  }
  const firstTime = async (order: string) => {
    const { results } = await readPage(address, token, `page_limit=1&order=${order}`);
    return Date.parse(results[0]?.created_at ?? '');
  };
  return {
    groupTokens: [...groupTokens],
    referenceIds: [...referenceIds],
    oldest: await firstTime('oldest'),
    newest: await firstTime('newest'),
  };
}

function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
