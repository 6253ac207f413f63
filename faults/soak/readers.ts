import { setTimeout as sleep } from 'node:timers/promises';
import type { Calls } from './calls.ts';
import { type Model, REQUEST_STATUSES } from './model.ts';
import type { Statistics } from './statistics.ts';

const TICK_MS = 20;
/** A machine that is busy with other work may stop everything for seconds. */
const IN_FLIGHT_MAX = 500;
const LIST = '/api/v1/clients-list/';
const PAGE_LIMIT = 10;

interface Page {
  page_number: number;
  page_limit: number;
  total_count: number;
  total_pages: number;
  results: unknown[];
}

export interface ReaderDeps {
  calls: Calls;
  model: Model;
  statistics: Statistics;
  authorization(): string;
}

/** Reads at a fixed rate, however long the answers take, and checks that every page is complete. */
export class Readers {
  readonly #deps: ReaderDeps;
  #inFlight = 0;

  constructor(deps: ReaderDeps) {
    this.#deps = deps;
  }

  async run(perSecond: number, until: () => boolean): Promise<void> {
    const startedAt = performance.now();
    let sent = 0;
    while (!until()) {
      for (const due = ((performance.now() - startedAt) / 1000) * perSecond; sent < due; sent++) this.#start();
      await sleep(TICK_MS);
    }
  }

  #start(): void {
    if (this.#inFlight >= IN_FLIGHT_MAX) {
      this.#deps.statistics.lost('skipped');
      return;
    }
    this.#inFlight++;
    void this.#read().finally(() => this.#inFlight--);
  }

  async #read(): Promise<void> {
    const { calls, statistics, authorization } = this.#deps;
    const path = this.#anyQuestion();
    const answer = await calls.once<Page>({ path, headers: { authorization: authorization() } });
    if (!answer || answer.status >= 500) return;
    if (answer.status !== 200) statistics.failed(`${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
    else if (path.startsWith(LIST) && !isComplete(answer.data)) statistics.failed(`${path} is incomplete`);
  }

  #anyQuestion(): string {
    const { clients, groups } = this.#deps.model;
    const page = 1 + Math.floor((Math.random() * clients.size) / PAGE_LIMIT);
    const kind = Math.random();
    if (kind < 0.35) return LIST;
    if (kind < 0.6) return `${LIST}?page_no=${page}`;
    if (kind < 0.7) return `${LIST}?request_status=${anyOf(REQUEST_STATUSES)}&page_no=${Math.ceil(page / 5)}`;
    if (kind < 0.8) return `${LIST}?group_token=${anyOf([...groups.keys()])}&order=oldest`;
    if (kind < 0.9) return `${LIST}?external_id=${anyOf([...clients.keys()])}`;
    if (kind < 0.98) return `${LIST}?page_limit=100&page_no=${Math.ceil(page / 10)}`;
    return '/api/v1/clients-summary/';
  }
}

/** Whether the page has as many clients as its number and the total say. */
function isComplete({ page_number, page_limit, total_count, total_pages, results }: Page): boolean {
  const expected = Math.max(0, Math.min(page_limit, total_count - (page_number - 1) * page_limit));
  return results.length === expected && total_pages === Math.ceil(total_count / page_limit);
}

function anyOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}
