import { sleep } from './abortable.ts';
import type { CallOptions, WriteOptions } from './call-options.ts';
import { InvalidRequestError, RollcallError } from './errors.ts';
import type { Import } from './generated/api.ts';
import { checkMilliseconds } from './option-values.ts';
import { pathSegment } from './path-segment.ts';
import { toParameters } from './query-parameters.ts';
import type { ApiResponse } from './response.ts';
import type { Service } from './service.ts';

/** A file of clients: its text, its bytes, or a `Blob` such as the file that was chosen on a page or `fs.openAsBlob(path)`. */
export type ImportedFile = string | Uint8Array | Blob;

/** How a file is read, and what is done with its rows. */
export interface ImportRequest {
  /**
   * The media type of the file: `text/csv`, `application/x-ndjson`, `application/gzip`, or that of an Excel workbook.
   * @defaultValue by the end of the file's name, otherwise the type of a `Blob` if it is one of these, otherwise `text/csv`
   */
  type?: string | undefined;
  /**
   * The encoding of a text file.
   * @defaultValue UTF-8 or UTF-16, which are recognised
   */
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | undefined;
  /**
   * The name of the file, for the activity log, and for what is in a file that is packed with gzip.
   * @defaultValue the name of a `File`, otherwise none
   */
  fileName?: string | undefined;
  /**
   * Only checks what the import would do, and changes nothing.
   * @defaultValue false
   */
  dryRun?: boolean | undefined;
  /**
   * `insert`: clients that exist stay as they are. `update`: rows of clients that do not exist are rejected.
   * @defaultValue none: clients are added and changed
   */
  only?: 'insert' | 'update' | undefined;
  /**
   * Clients that exist keep their statuses.
   * @defaultValue false
   */
  keepStatus?: boolean | undefined;
  /**
   * Which column of the file is which field, such as `{ 'Full name': 'client_name' }`.
   * @defaultValue none
   */
  mapping?: Readonly<Record<string, string>> | undefined;
  /**
   * Imports a file that has other columns, without them.
   * @defaultValue false: such a file is refused
   */
  ignoreUnknownColumns?: boolean | undefined;
  /**
   * How dates are written: `iso` as 2026-01-31, `day-first` as 31.01.2026 or 31/01/2026, `month-first` as 01/31/2026.
   * @defaultValue `iso`
   */
  dates?: 'iso' | 'day-first' | 'month-first' | undefined;
  /**
   * Of dates without an offset, such as `Europe/Zurich`.
   * @defaultValue `UTC`
   */
  timeZone?: string | undefined;
  /**
   * What the values of a column mean, such as `{ client_type: { Person: 'individual' } }`.
   * @defaultValue none
   */
  values?: Record<string, Record<string, string>> | undefined;
}

/** How to wait for an import. */
export interface WaitOptions extends CallOptions {
  /**
   * Called with the import whenever it has been read.
   * @defaultValue none
   */
  onProgress?: ((current: Import) => void) | undefined;
  /**
   * The longest time between two reads, in milliseconds: 0 to 2147483647. The first ones follow sooner.
   * @defaultValue 1000
   */
  pollMs?: number | undefined;
}

const PATH = '/api/v1/clients-imports/';
const CSV = 'text/csv';
/** By what the name of a file ends in. Browsers and systems do not agree on the types of these files. */
const TYPES: Readonly<Record<string, string>> = {
  csv: CSV,
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  gz: 'application/gzip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** As the service accepts it. */
const FILE_NAME_MAX_LENGTH = 200;
const PARAMETERS: Record<Exclude<keyof ImportRequest, 'type' | 'encoding'>, string> = {
  fileName: 'file_name',
  dryRun: 'dry_run',
  only: 'only',
  keepStatus: 'keep_status',
  mapping: 'mapping',
  ignoreUnknownColumns: 'unknown_columns',
  dates: 'dates',
  timeZone: 'time_zone',
  values: 'values',
};

const FIRST_WAIT_MS = 50;

/** Imports of clients, which run in the service. */
export class Imports {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  /**
   * Sends a file, and resolves as soon as the service has stored it. The import runs in the background, even if your program
   * exits; `wait` waits for it.
   */
  async create(
    file: ImportedFile,
    request: ImportRequest = {},
    { signal, idempotencyKey }: WriteOptions = {},
  ): Promise<Import> {
    const content = file instanceof Blob ? file : new Blob([file as string | Uint8Array<ArrayBuffer>]);
    const { type, encoding, fileName = nameOf(file), ...rest } = request;
    const query = queryOf({ ...rest, fileName: fileName?.slice(-FILE_NAME_MAX_LENGTH) });
    const pathAndQuery = query === '' ? PATH : `${PATH}?${query}`;
    const charset = encoding === undefined ? '' : `; charset=${encoding}`;
    const sent = { type: (type ?? typeOf(content, fileName)) + charset, content };
    return read(await this.#service.upload({ pathAndQuery, file: sent, signal, idempotencyKey }));
  }

  /** Where an import stands. */
  async get(importId: string, { signal }: CallOptions = {}): Promise<Import> {
    return read(await this.#service.get(pathOf(importId), { signal }));
  }

  /**
   * Resolves when the import is over. Its `state` is then `completed`, `cancelled` or `failed`; rows that were rejected do not
   * make it fail.
   */
  async wait(started: Import | string, { signal, onProgress, pollMs = 1000 }: WaitOptions = {}): Promise<Import> {
    const importId = typeof started === 'string' ? started : started.import_id;
    checkMilliseconds('pollMs', pollMs);
    for (let waitMs = Math.min(FIRST_WAIT_MS, pollMs); ; waitMs = Math.min(waitMs * 2, pollMs)) {
      const current = await this.get(importId, { signal });
      onProgress?.(current);
      if (current.state !== 'queued' && current.state !== 'running') return current;
      await sleep(waitMs, signal);
    }
  }

  /** The rejected rows as the text of a CSV file, with the line and the reason of each. */
  rejects(importId: string, { signal }: CallOptions = {}): Promise<string> {
    return this.#service.getCsv(`${pathOf(importId)}rejects/`, { signal });
  }

  /** Ends an import that is queued or running. What it has imported so far stays. */
  async cancel(importId: string, { signal, idempotencyKey }: WriteOptions = {}): Promise<Import> {
    return read(await this.#service.write({ method: 'DELETE', path: pathOf(importId), signal, idempotencyKey }));
  }
}

function queryOf(given: Omit<ImportRequest, 'type' | 'encoding'>): string {
  const { dryRun, keepStatus, mapping, values, ignoreUnknownColumns, ...rest } = given;
  const request = {
    ...rest,
    dryRun: dryRun ? 'true' : undefined,
    keepStatus: keepStatus ? 'true' : undefined,
    mapping: mapping && pairsOf(mapping),
    values: values && wordsOf(values),
    ignoreUnknownColumns: ignoreUnknownColumns ? 'ignore' : undefined,
  };
  return toParameters(request, PARAMETERS, 'parameter').toString();
}

function pairsOf(mapping: Readonly<Record<string, string>>): string[] | undefined {
  if (typeof mapping !== 'object' || Array.isArray(mapping)) {
    throw new InvalidRequestError("mapping must be an object such as { 'Full name': 'client_name' }.");
  }
  const pairs = Object.entries(mapping).map(([column, field]) => `${column}:${field}`);
  return pairs.length > 0 ? pairs : undefined;
}

function wordsOf(values: NonNullable<ImportRequest['values']>): string[] | undefined {
  const entries = Object.entries(values).flatMap(([field, words]) =>
    Object.entries(words).map(([value, word]) => `${field}:${value}:${word}`),
  );
  return entries.length > 0 ? entries : undefined;
}

function typeOf({ type }: Blob, fileName = ''): string {
  const ending = fileName.toLowerCase().split('.').at(-1) ?? '';
  const byName = Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined;
  return byName ?? (Object.values(TYPES).includes(type) ? type : CSV);
}

/** Only a `File` has a name, and not every platform has files. */
function nameOf(file: ImportedFile): string | undefined {
  const { name } = file as { name?: unknown };
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function pathOf(importId: string): string {
  return `${PATH}${pathSegment('importId', importId)}/`;
}

function read({ data }: ApiResponse<Import>): Import {
  if (isImport(data)) return data;
  throw new RollcallError('The response contains no import; check baseUrl.');
}

function isImport(data: Partial<Import> | null | undefined): data is Import {
  return typeof data?.import_id === 'string' && typeof data.state === 'string';
}
