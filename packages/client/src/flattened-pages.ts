import type { Client, ClientsPage } from './generated/api.ts';

/** A walk in progress. TypeScript before 5.6 allows only one type argument for `AsyncIterableIterator`, hence the rest. */
export interface ClientIterator extends AsyncIterableIterator<Client> {
  /** The next client, or `done` if there are no more. */
  next(): Promise<IteratorResult<Client, undefined>>;
  /** Ends the walk and aborts the request that is in flight. */
  return(): Promise<IteratorResult<Client, undefined>>;
}

/**
 * The clients of the pages, one by one. An async generator would do the same in three lines, but this takes a third of
 * its time per client, which matters for a million of them.
 */
export class FlattenedPages implements ClientIterator {
  readonly #pages: AsyncGenerator<ClientsPage, void, undefined>;
  #clients: Client[] = [];
  #position = 0;
  #loading: Promise<boolean> | undefined;

  constructor(pages: AsyncGenerator<ClientsPage, void, undefined>) {
    this.#pages = pages;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Client, undefined>> {
    const client = this.#clients[this.#position];
    if (!client) return this.#firstOfNextPage();
    this.#position++;
    return Promise.resolve({ value: client, done: false });
  }

  async return(): Promise<IteratorResult<Client, undefined>> {
    this.#clients = [];
    await this.#pages.return();
    return { value: undefined, done: true };
  }

  /** Concurrent calls load each page only once. */
  async #firstOfNextPage(): Promise<IteratorResult<Client, undefined>> {
    this.#loading ??= this.#loadPage().finally(() => {
      this.#loading = undefined;
    });
    return (await this.#loading) ? this.next() : { value: undefined, done: true };
  }

  async #loadPage(): Promise<boolean> {
    const { value, done } = await this.#pages.next();
    if (done) return false;
    this.#clients = value.results;
    this.#position = 0;
    return true;
  }
}
