import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';
import { BODY_MAX_BYTES, bodyTooLarge } from './request-size.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

export interface RequestBody {
  /** The media type in lower case, without its parameters; undefined when no body was sent. */
  type: string | undefined;
  /** JSON that has been parsed, or the text of any other body. */
  value: unknown;
}

const READABLE_TYPES = new Set(['application/json', 'text/plain', FORM_TYPE]);
const BODYLESS_METHODS = new Set(['GET', 'HEAD']);
const NO_BODY: RequestBody = { type: undefined, value: undefined };

/** Reads the body of a request, within the limit. Malformed JSON and types that no route understands are refused. */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const {
    'content-type': contentType,
    'content-length': length = '0',
    'transfer-encoding': encoding,
  } = request.headers;
  if (BODYLESS_METHODS.has(request.method ?? '')) return NO_BODY;
  if (contentType === undefined && length === '0' && encoding === undefined) return NO_BODY;
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!READABLE_TYPES.has(type)) {
    throw new HttpError(415, 'Unsupported content type: the body must be JSON or a form.');
  }
  const text = await readText(request);
  return { type, value: type === 'application/json' ? parseJson(text) : text };
}

/** By events, because leaving a `for await` loop early would destroy the connection before the refusal is written. */
function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > BODY_MAX_BYTES) settle(() => reject(bodyTooLarge()));
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks, length).toString()));
    const onError = () => settle(() => reject(unreadable('it did not arrive completely')));
    const settle = (finish: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onError);
      finish();
    };
    request.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

function parseJson(text: string): unknown {
  try {
    return mayHoldPrototype(text) ? JSON.parse(text, refusePrototype) : JSON.parse(text);
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
