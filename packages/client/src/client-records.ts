import type { CallOptions, ChangeOptions, WriteOptions } from './call-options.ts';
import { InvalidRequestError, RollcallError } from './errors.ts';
import type { ClientByExternalId, ClientPatch, ClientRecord, NewClient } from './generated/api.ts';
import { pathSegment } from './path-segment.ts';
import type { ApiResponse } from './response.ts';
import type { Service } from './service.ts';

const PATH = '/api/v1/clients/';

/** Visible ASCII characters, and spaces between several tags. */
const ETAG = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** Reads and writes one client at a time, and remembers the version of each record. */
export class ClientRecords {
  readonly #service: Service;
  readonly #etags = new WeakMap<ClientRecord, string>();

  constructor(service: Service) {
    this.#service = service;
  }

  async get(referenceId: string, { signal }: CallOptions): Promise<ClientRecord> {
    return this.#read(await this.#service.get(pathOf(referenceId), { signal }));
  }

  async create(client: NewClient, { signal, idempotencyKey }: WriteOptions): Promise<ClientRecord> {
    return this.#read(await this.#service.write({ method: 'POST', path: PATH, body: client, signal, idempotencyKey }));
  }

  async update(referenceId: string, patch: ClientPatch, options: ChangeOptions): Promise<ClientRecord> {
    const path = pathOf(referenceId);
    return this.#read(await this.#service.write({ method: 'PATCH', path, body: patch, ...this.#conditions(options) }));
  }

  async upsert(externalId: string, fields: ClientByExternalId, options: ChangeOptions): Promise<ClientRecord> {
    const path = `${PATH}by-external-id/${pathSegment('externalId', externalId)}/`;
    return this.#read(await this.#service.write({ method: 'PUT', path, body: fields, ...this.#conditions(options) }));
  }

  async erase(referenceId: string, options: ChangeOptions): Promise<void> {
    const path = pathOf(referenceId);
    const { data } = await this.#service.write({ method: 'DELETE', path, ...this.#conditions(options) });
    if (data !== null) throw new RollcallError('The response does not say that the client is erased; check baseUrl.');
  }

  #conditions({ signal, idempotencyKey, ifMatch }: ChangeOptions) {
    return { signal, idempotencyKey, ifMatch: ifMatch === undefined ? undefined : this.#etagOf(ifMatch) };
  }

  /** A record without a known version is refused: without a condition, the changes of others would be lost. */
  #etagOf(version: ClientRecord | string): string {
    const etag = typeof version === 'string' ? version : this.#etags.get(version);
    if (etag !== undefined && ETAG.test(etag)) return etag;
    throw new InvalidRequestError(
      'ifMatch must be a record that get, create, update or upsert of the same Rollcall has returned, or an ETag.',
    );
  }

  #read({ headers, data }: ApiResponse<ClientRecord>): ClientRecord {
    if (!isRecord(data)) throw new RollcallError('The response contains no client; check baseUrl.');
    const etag = headers.get('etag');
    if (etag !== null) this.#etags.set(data, etag);
    return data;
  }
}

function pathOf(referenceId: string): string {
  return `${PATH}${pathSegment('referenceId', referenceId)}/`;
}

/** The other fields are not checked: their types are generated from the schema of the service. */
function isRecord(data: Partial<ClientRecord> | null | undefined): data is ClientRecord {
  return typeof data?.reference_id === 'string';
}
