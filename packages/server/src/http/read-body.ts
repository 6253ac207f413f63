import type { IncomingMessage } from 'node:http';
import { printableName } from '../domain/check-schema.ts';
import { repeatedName } from '../domain/repeated-name.ts';
import type { Backlog } from './backlog.ts';
import { HttpError } from './http-error.ts';
import { BODY_MAX_BYTES, bodyTooLarge } from './request-size.ts';

export const JSON_BODY = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The types of bodies that are held in memory. */
export type BodyType = typeof JSON_BODY | typeof FORM_TYPE | 'text/plain';

export interface RequestBody {
  /** The media type in lower case, without its parameters; undefined when no body was sent. */
  type: string | undefined;
  /** JSON that has been parsed, or the text of any other body. */
  value: unknown;
}

const SMALLEST_BUFFER = 4096;

/** How long a body that is held in memory may take to arrive. */
const BODY_TIMEOUT_MS = 30_000;

/** Far more than a body of the largest size has when a network cuts it up, and few enough to handle quickly. */
const CHUNKS_MAX = 16_384;

const BODYLESS_METHODS = new Set(['GET', 'HEAD']);
/** Some programs write one at the beginning of every text. */
const BYTE_ORDER_MARK = /^\uFEFF/;
const NO_BODY: RequestBody = { type: undefined, value: undefined };

/** Reads the body of a request, within the limit. Malformed JSON and types that no route understands are refused. */
export async function readBody(
  request: IncomingMessage,
  backlog: Backlog,
  types: readonly BodyType[],
): Promise<RequestBody> {
  const {
    'content-type': contentType,
    'content-length': length = '0',
    'transfer-encoding': encoding,
  } = request.headers;
  if (BODYLESS_METHODS.has(request.method ?? '')) return NO_BODY;
  if (contentType === undefined && length === '0' && encoding === undefined) return NO_BODY;
  const type = requireType(request, types);
  const text = await readText(request, backlog);
  return { type, value: type === JSON_BODY ? parseJson(text) : text };
}

/** The media type of the body, in lower case and without its parameters, which must be one of these. */
export function requireType(
  { headers }: IncomingMessage,
  types: readonly string[],
  codings: readonly string[] = [],
): string {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity' && !codings.includes(coding)) throw unknownCoding(codings);
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (types.includes(type)) return type;
  const expected = types.includes(FORM_TYPE) ? 'JSON or a form' : `of the type ${types.join(' or ')}`;
  throw new HttpError(415, `Unsupported content type: the body must be ${expected}.`);
}

function unknownCoding(codings: readonly string[]): HttpError {
  const expected = codings.length > 0 ? `must be ${codings.join(' or ')}, or left out` : 'must be left out';
  return new HttpError(415, `Unsupported content encoding: Content-Encoding ${expected}.`);
}

/** By events, because leaving a `for await` loop early would destroy the connection before the refusal is written. */
function readText(request: IncomingMessage, backlog: Backlog): Promise<string> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(unreadable('it did not arrive completely'));
    const body = new GrowingBuffer(backlog);
    const timer = setTimeout(() => settle(() => reject(bodyTimeout())), BODY_TIMEOUT_MS);
    const onData = (chunk: Buffer) => {
      const refusal = body.append(chunk);
      if (refusal) settle(() => reject(refusal));
    };
    const onEnd = () => settle(() => resolve(body.toString()));
    const onError = () => settle(() => reject(unreadable('it did not arrive completely')));
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onError);
      finish();
      body.release();
    };
    request.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

/**
 * Collects a body in one piece of memory. A buffer for each chunk would take a hundred times the size of a body that is sent
 * byte by byte, and three such bodies were enough to exhaust the memory of the process.
 */
class GrowingBuffer {
  readonly #backlog: Backlog;
  #bytes = Buffer.alloc(0);
  #length = 0;
  #chunks = 0;

  constructor(backlog: Backlog) {
    this.#backlog = backlog;
  }

  /** Returns why the chunk is refused, if it is. */
  append(chunk: Buffer): HttpError | undefined {
    const length = this.#length + chunk.length;
    if (length > BODY_MAX_BYTES || ++this.#chunks > CHUNKS_MAX) return bodyTooLarge();
    if (length > this.#bytes.length) {
      const size = Math.min(BODY_MAX_BYTES, Math.max(length, this.#bytes.length * 2, SMALLEST_BUFFER));
      if (!this.#backlog.holdBody(size - this.#bytes.length)) return tooManyBodies();
      const grown = Buffer.allocUnsafe(size);
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
    return undefined;
  }

  toString(): string {
    return this.#bytes.toString('utf8', 0, this.#length);
  }

  release(): void {
    this.#backlog.releaseBody(this.#bytes.length);
  }
}

export function bodyTimeout(): HttpError {
  return new HttpError(408, 'Request timeout: the body did not arrive in time.', { close: true });
}

function tooManyBodies(): HttpError {
  const message = 'Service temporarily unavailable: too many request bodies are being read.';
  return new HttpError(503, message, { headers: ['Retry-After', '1'], close: true });
}

function parseJson(text: string): unknown {
  const json = text.replace(BYTE_ORDER_MARK, '');
  const value = parseValue(json);
  const repeated = repeatedName(json, value);
  if (repeated !== undefined) throw unreadable(`it has ${printableName(repeated)} twice`);
  return value;
}

function parseValue(json: string): unknown {
  try {
    return mayHoldPrototype(json) ? JSON.parse(json, refusePrototype) : JSON.parse(json);
  } catch {
    throw unreadable('it is not valid JSON');
  }
}

/** A key named `__proto__` can only be meant to do harm. Looking for it first spares other bodies the slower parsing. */
function mayHoldPrototype(text: string): boolean {
  return /__proto__|\\u00/i.test(text);
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not accepted as a key');
  return value;
}

function unreadable(reason: string): HttpError {
  return new HttpError(400, `Bad request: the body could not be read, because ${reason}.`, { close: true });
}
