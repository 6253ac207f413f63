import type { IncomingMessage } from 'node:http';

export const ADDRESS_MAX_BYTES = 8 * 1024;
export const HEADERS_MAX_BYTES = 16 * 1024;
export const BODY_MAX_BYTES = 1024 * 1024;

/** What the parser lets through, so that there is a request to answer when one of the limits above is passed. */
export const PARSER_MAX_BYTES = 128 * 1024;

export interface Refusal {
  status: number;
  message: string;
  /** The rest of the body is not wanted, and only closing the connection says so. */
  close?: true;
}

/** Whether the request is too long anywhere, or not addressed to anybody. */
export function refusalOf(raw: IncomingMessage): Refusal | undefined {
  if ((raw.url ?? '').length > ADDRESS_MAX_BYTES) {
    return { status: 414, message: `Address too long: at most ${ADDRESS_MAX_BYTES} bytes are accepted.` };
  }
  const { length, hosts } = measure(raw.rawHeaders);
  if (length > HEADERS_MAX_BYTES) {
    return { status: 431, message: `Headers too long: at most ${HEADERS_MAX_BYTES} bytes are accepted.` };
  }
  if (Number(raw.headers['content-length'] ?? 0) > BODY_MAX_BYTES) {
    const message = `Request body too large: at most ${BODY_MAX_BYTES} bytes are accepted.`;
    return { status: 413, message, close: true };
  }
  if (hosts === 0 && raw.httpVersion === '1.1') {
    return { status: 400, message: 'Bad request: the Host header is missing.' };
  }
  // A proxy before us may go by the one and we by the other.
  if (hosts > 1) return { status: 400, message: 'Bad request: there is more than one Host header.' };
  return undefined;
}

/** Of the headers as they were sent: Node's own view shows the first Host alone. */
function measure(rawHeaders: readonly string[]): { length: number; hosts: number } {
  let length = 0;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    length += name.length + (rawHeaders[index + 1] ?? '').length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return { length, hosts };
}
