/** A walk in progress. TypeScript before 5.6 allows only one type argument for `AsyncIterableIterator`, hence the rest. */
export interface ItemIterator<Item> extends AsyncIterableIterator<Item> {
  /** The next entry, or `done` if there are no more. */
  next(): Promise<IteratorResult<Item, undefined>>;
  /** Ends the walk and aborts the request that is in flight. */
  return(): Promise<IteratorResult<Item, undefined>>;
}

/**
 * The entries of the pages, one by one. An async generator would do the same in three lines, but this takes a third of
 * its time per entry, which matters for a million of them.
 */
export class FlattenedPages<Item extends object> implements ItemIterator<Item> {
  readonly #pages: AsyncGenerator<{ results: Item[] }, void, undefined>;
  #items: Item[] = [];
  #position = 0;
  #loading: Promise<boolean> | undefined;

  constructor(pages: AsyncGenerator<{ results: Item[] }, void, undefined>) {
    this.#pages = pages;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    const item = this.#items[this.#position];
    if (!item) return this.#firstOfNextPage();
    this.#position++;
    return Promise.resolve({ value: item, done: false });
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    this.#items = [];
    await this.#pages.return();
    return { value: undefined, done: true };
  }

  /** Concurrent calls load each page only once. */
  async #firstOfNextPage(): Promise<IteratorResult<Item, undefined>> {
    this.#loading ??= this.#loadPage().finally(() => {
      this.#loading = undefined;
    });
    return (await this.#loading) ? this.next() : { value: undefined, done: true };
  }

  async #loadPage(): Promise<boolean> {
    const { value, done } = await this.#pages.next();
    if (done) return false;
    this.#items = value.results;
    this.#position = 0;
    return true;
  }
}
