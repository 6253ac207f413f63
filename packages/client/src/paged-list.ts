import { FlattenedPages, type ItemIterator } from './flattened-pages.ts';
import { linkAbort } from './link-abort.ts';
import { isTransient } from './retry.ts';

/** The largest page that the service allows: rate limits count requests, and a walk reads everything anyway. */
export const WALK_PAGE_LIMIT = 1000;

/** A page and the query of the next one. */
export interface FetchedPage<Page> {
  page: Page;
  next: URLSearchParams | undefined;
}

export type FetchPage<Page> = (query: URLSearchParams, signal: AbortSignal) => Promise<FetchedPage<Page>>;

/** A list that the service answers page by page. Each loop over it reads the list from the beginning. */
export class PagedList<Item extends object, Page extends { results: Item[] }> implements AsyncIterable<Item> {
  readonly #fetch: FetchPage<Page>;
  readonly #first: URLSearchParams;
  readonly #signal: AbortSignal | undefined;

  constructor(fetch: FetchPage<Page>, first: URLSearchParams, signal: AbortSignal | undefined) {
    this.#fetch = fetch;
    this.#first = first;
    this.#signal = signal;
  }

  /** The entries one by one, for `for await`. */
  [Symbol.asyncIterator](): ItemIterator<Item> {
    return new FlattenedPages(this.pages());
  }

  /** The same entries, one page at a time. While a page is being processed, the next one is already requested. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const { controller, release } = linkAbort(this.#signal);
    const begin = (query: URLSearchParams) => prefetch(() => this.#fetch(query, controller.signal));
    try {
      let coming: (() => Promise<FetchedPage<Page>>) | undefined = begin(this.#first);
      while (coming) {
        const { page, next }: FetchedPage<Page> = await coming();
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
