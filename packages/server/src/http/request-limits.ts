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
  if (lengthOf(raw.rawHeaders) > HEADERS_MAX_BYTES) {
    return { status: 431, message: `Headers too long: at most ${HEADERS_MAX_BYTES} bytes are accepted.` };
  }
  if (Number(raw.headers['content-length'] ?? 0) > BODY_MAX_BYTES) {
    const message = `Request body too large: at most ${BODY_MAX_BYTES} bytes are accepted.`;
    return { status: 413, message, close: true };
  }
  if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
    return { status: 400, message: 'Bad request: the Host header is missing.' };
  }
  return undefined;
}

function lengthOf(texts: readonly string[]): number {
  let length = 0;
  for (const text of texts) length += text.length;
  return length;
}
