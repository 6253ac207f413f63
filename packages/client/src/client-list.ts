import { type ClientIterator, FlattenedPages } from './flattened-pages.ts';
import type { Client, ClientsPage } from './generated/api.ts';
import { linkAbort } from './linked-abort.ts';
import { mayPass } from './retry.ts';

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

  /** The clients one by one, as `for await` asks for them. */
  [Symbol.asyncIterator](): ClientIterator {
    return new FlattenedPages(this.pages());
  }

  /** The same walk, a page at a time. While one page is looked at, the next is on its way. */
  async *pages(): AsyncGenerator<ClientsPage, void, undefined> {
    const { controller, release } = linkAbort(this.#signal);
    const begin = (query: URLSearchParams) => ahead(() => this.#fetch(query, controller.signal));
    try {
      let coming: (() => Promise<Step>) | undefined = begin(this.#first);
      while (coming) {
        const { page, next }: Step = await coming();
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
 * Begins at once, and reports a failure only when it is asked. Where the failure may pass and came before that, it
 * begins anew: the time in which nobody waited for the answer does not count.
 */
function ahead<T>(begin: () => Promise<T>): () => Promise<T> {
  let anew = false;
  const begun = begin();
  begun.catch((error) => {
    anew = mayPass(error);
  });
  return () => (anew ? begin() : begun);
}
