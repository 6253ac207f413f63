import { FlattenedPages } from './flattened-pages.ts';
import type { Client, ClientsPage } from './generated/api.ts';
import { linkAbort } from './linked-abort.ts';

/** A page and the query of the one after it. */
export interface Step {
  page: ClientsPage;
  next: URLSearchParams | undefined;
}

export type FetchStep = (query: URLSearchParams, signal: AbortSignal) => Promise<Step>;

/** A walk over all clients that match; each loop over it is a walk of its own. */
export class ClientList implements AsyncIterable<Client> {
  readonly #fetch: FetchStep;
  readonly #first: URLSearchParams;
  readonly #signal: AbortSignal | undefined;

  constructor(fetch: FetchStep, first: URLSearchParams, signal: AbortSignal | undefined) {
    this.#fetch = fetch;
    this.#first = first;
    this.#signal = signal;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Client, void, undefined> {
    return new FlattenedPages(this.pages());
  }

  /** The same walk, a page at a time. While one page is looked at, the next is on its way. */
  async *pages(): AsyncGenerator<ClientsPage, void, undefined> {
    const { controller, release } = linkAbort(this.#signal);
    try {
      let coming: Promise<Step> | undefined = this.#fetch(this.#first, controller.signal);
      while (coming) {
        const { page, next }: Step = await coming;
        coming = next && this.#fetch(next, controller.signal);
        // It is awaited only when the caller asks for the next page; a failure must keep until then.
        coming?.catch(() => {});
        yield page;
      }
    } finally {
      controller.abort();
      release();
    }
  }
}
