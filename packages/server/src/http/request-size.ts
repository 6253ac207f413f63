import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';

export const ADDRESS_MAX_BYTES = 8 * 1024;
export const HEADERS_MAX_BYTES = 16 * 1024;
export const BODY_MAX_BYTES = 1024 * 1024;

/** What the parser accepts. It is more than the limits above, so that a request beyond them can still be answered. */
export const PARSER_MAX_BYTES = 128 * 1024;

/** The refusal of a request whose address, headers or body are too long, or which does not name exactly one host. */
export function exceededLimit(request: IncomingMessage, bodyMaxBytes = BODY_MAX_BYTES): HttpError | undefined {
  if ((request.url ?? '').length > ADDRESS_MAX_BYTES) {
    return new HttpError(414, `Address too long: at most ${ADDRESS_MAX_BYTES} bytes are accepted.`);
  }
  const { length, hosts } = measureHeaders(request.rawHeaders);
  if (length > HEADERS_MAX_BYTES) {
    return new HttpError(431, `Headers too long: at most ${HEADERS_MAX_BYTES} bytes are accepted.`);
  }
  if (Number(request.headers['content-length'] ?? 0) > bodyMaxBytes) return bodyTooLarge(bodyMaxBytes);
  if (hosts === 0 && request.httpVersion === '1.1') {
    return new HttpError(400, 'Bad request: the Host header is missing.');
  }
  // A proxy in front of us might use one of them and we the other.
  if (hosts > 1) return new HttpError(400, 'Bad request: there is more than one Host header.');
  return undefined;
}

/** Only closing the connection tells the caller that the rest of the body will not be read. */
export function bodyTooLarge(maxBytes = BODY_MAX_BYTES): HttpError {
  const message = `Request body too large: at most ${maxBytes} bytes are accepted.`;
  return new HttpError(413, message, { close: true });
}

/** Measures the headers as they were sent, because `request.headers` shows only the first Host. */
function measureHeaders(rawHeaders: readonly string[]): { length: number; hosts: number } {
  let length = 0;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    length += name.length + (rawHeaders[index + 1] ?? '').length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return { length, hosts };
}
