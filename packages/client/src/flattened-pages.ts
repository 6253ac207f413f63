import type { Client, ClientsPage } from './generated/api.ts';

/**
 * The clients of the pages, one by one. An async generator would do the same in three lines; this takes a third of
 * its time per client, which a walk over a million of them notices.
 */
export class FlattenedPages implements AsyncIterableIterator<Client, void, undefined> {
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

  next(): Promise<IteratorResult<Client, void>> {
    const client = this.#clients[this.#position];
    if (!client) return this.#nextOfNextPage();
    this.#position++;
    return Promise.resolve({ value: client, done: false });
  }

  async return(): Promise<IteratorResult<Client, void>> {
    this.#clients = [];
    await this.#pages.return();
    return { value: undefined, done: true };
  }

  /** Calls that do not wait for one another still turn each page once. */
  async #nextOfNextPage(): Promise<IteratorResult<Client, void>> {
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
