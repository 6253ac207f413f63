import type { Client, ClientsPage } from './generated/api.ts';

/** A walk on its way. TypeScript before 5.6 knows `AsyncIterableIterator` with one type alone, hence the rest. */
export interface ClientIterator extends AsyncIterableIterator<Client> {
  /** The next client, or that there are no more. */
  next(): Promise<IteratorResult<Client, undefined>>;
  /** Ends the walk and takes back the request that is on its way. */
  return(): Promise<IteratorResult<Client, undefined>>;
}

/**
 * The clients of the pages, one by one. An async generator would do the same in three lines; this takes a third of
 * its time per client, which a walk over a million of them notices.
 */
export class FlattenedPages implements ClientIterator {
  readonly #pages: AsyncGenerator<ClientsPage, void, undefined>;
  #clients: Client[] = [];
  #position = 0;
  #turning: Promise<boolean> | undefined;

  constructor(pages: AsyncGenerator<ClientsPage, void, undefined>) {
    this.#pages = pages;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Client, undefined>> {
    const client = this.#clients[this.#position];
    if (!client) return this.#nextOfNextPage();
    this.#position++;
    return Promise.resolve({ value: client, done: false });
  }

  async return(): Promise<IteratorResult<Client, undefined>> {
    this.#clients = [];
    await this.#pages.return();
    return { value: undefined, done: true };
  }

  /** Calls that do not wait for one another still turn each page once. */
  async #nextOfNextPage(): Promise<IteratorResult<Client, undefined>> {
    this.#turning ??= this.#turnPage().finally(() => {
      this.#turning = undefined;
    });
    return (await this.#turning) ? this.next() : { value: undefined, done: true };
  }

  async #turnPage(): Promise<boolean> {
    const { value, done } = await this.#pages.next();
    if (done) return false;
    this.#clients = value.results;
    this.#position = 0;
    return true;
  }
}
