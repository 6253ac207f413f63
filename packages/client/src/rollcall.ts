import type { CallOptions } from './call-options.ts';
import { Clients } from './clients.ts';
import { Groups } from './groups.ts';
import { Imports } from './imports.ts';
import { Service } from './service.ts';
import { type RollcallOptions, readSettings } from './settings.ts';

/** One environment of a Rollcall service, accessed with an API key or an access token. */
export class Rollcall {
  /** The clients of the environment: as a list, page by page, counted, watched for changes, and one by one to be changed. */
  readonly clients: Clients;
  /** The groups of the environment. */
  readonly groups: Groups;
  /** Files of clients, which the service imports in the background. */
  readonly imports: Imports;
  readonly #service: Service;

  /** Checks the options. No request is sent before the first call. */
  constructor(options: RollcallOptions) {
    this.#service = new Service(readSettings(options));
    this.clients = new Clients(this.#service);
    this.groups = new Groups(this.#service);
    this.imports = new Imports(this.#service);
  }

  /** A valid access token for requests that you send yourself. Calls of this object do not need one. */
  token({ signal }: CallOptions = {}): Promise<string> {
    return this.#service.token(signal);
  }
}
