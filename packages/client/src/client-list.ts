import { type ClientIterator, FlattenedPages } from './flattened-pages.ts';
import type { Client, ClientsPage } from './generated/api.ts';
import { linkAbort } from './link-abort.ts';
import { isTransient } from './retry.ts';

/** A page and the query of the next one. */
export interface FetchedPage {
  page: ClientsPage;
  next: URLSearchParams | undefined;
}

export type FetchPage = (query: URLSearchParams, signal: AbortSignal) => Promise<FetchedPage>;

/** All clients that match. Each loop over it reads the list from the beginning. */
export class ClientList implements AsyncIterable<Client> {
  readonly #fetch: FetchPage;
  readonly #first: URLSearchParams;
  readonly #signal: AbortSignal | undefined;

  constructor(fetch: FetchPage, first: URLSearchParams, signal: AbortSignal | undefined) {
    this.#fetch = fetch;
    this.#first = first;
    this.#signal = signal;
  }

  /** The clients one by one, for `for await`. */
  [Symbol.asyncIterator](): ClientIterator {
    return new FlattenedPages(this.pages());
  }

  /** The same clients, one page at a time. While a page is being processed, the next one is already requested. */
  async *pages(): AsyncGenerator<ClientsPage, void, undefined> {
    const { controller, release } = linkAbort(this.#signal);
    const begin = (query: URLSearchParams) => prefetch(() => this.#fetch(query, controller.signal));
    try {
      let coming: (() => Promise<FetchedPage>) | undefined = begin(this.#first);
      while (coming) {
        const { page, next }: FetchedPage = await coming();
        coming = next && begin(next);
        yield page;
      }
    } finally {
      controller.abort();
      release();
    }
  }
}

/**
 * Starts at once, but reports a failure only when the result is asked for. If a transient failure came before that, the
 * request is started again, because the time in which no one waited for it does not count.
 */
function prefetch<T>(begin: () => Promise<T>): () => Promise<T> {
  let startAgain = false;
  const begun = begin();
  begun.catch((error) => {
    startAgain = isTransient(error);
  });
  return () => (startAgain ? begin() : begun);
}
