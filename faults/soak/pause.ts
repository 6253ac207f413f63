/** Lets several writers pause between two requests, so that nothing changes while the service is compared with the model. */
export class Pause {
  #writers: number;
  #waiting = 0;
  #over: PromiseWithResolvers<void> | undefined;
  #allWait: PromiseWithResolvers<void> | undefined;

  constructor(writers: number) {
    this.#writers = writers;
  }

  /** Called by every writer between two requests. */
  async wait(): Promise<void> {
    if (!this.#over) return;
    this.#waiting++;
    this.#look();
    await this.#over.promise;
    this.#waiting--;
  }

  /** Called by a writer that has ended. */
  leave(): void {
    this.#writers--;
    this.#look();
  }

  /** Does the work while all writers wait. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#over = Promise.withResolvers();
    this.#allWait = Promise.withResolvers();
    this.#look();
    await this.#allWait.promise;
    try {
      return await work();
    } finally {
      this.#over.resolve();
      this.#over = undefined;
    }
  }

  #look(): void {
    if (this.#waiting >= this.#writers) this.#allWait?.resolve();
  }
}
