import { type CallOptions, Clients } from './clients.ts';
import { Service } from './service.ts';
import { type RollcallOptions, settingsOf } from './settings.ts';

/** One environment of a Rollcall service, as the holder of an API key sees it. */
export class Rollcall {
  /** The clients of the environment: listed, page by page or watched. */
  readonly clients: Clients;
  readonly #service: Service;

  /** Reads the options; nothing is requested before the first call. */
  constructor(options: RollcallOptions) {
    this.#service = new Service(settingsOf(options));
    this.clients = new Clients(this.#service);
  }

  /** An access token that is valid now, for requests made by other means. Calls made here need none. */
  token({ signal }: CallOptions = {}): Promise<string> {
    return this.#service.token(signal);
  }
}
