import { Client, type ClientConfig } from 'pg';

/**
 * A client of the driver, whose constructor reads the files of certificates and throws if one is missing, for example because it is
 * being replaced. It is also called by timers and by the driver's pool, where an error would end the process. So this one fails
 * when it connects.
 */
export function newDriverClient(config?: ClientConfig): Client {
  try {
    return new Client(config);
  } catch (error) {
    return new FailingClient(error);
  }
}

class FailingClient extends Client {
  readonly #error: unknown;

  constructor(error: unknown) {
    super({});
    this.#error = error;
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
    if (!callback) return Promise.reject(this.#error);
    process.nextTick(callback, this.#error);
    return undefined;
  }
}
