import type { ServerResponse } from 'node:http';
import { JSON_TYPE } from './envelope.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

/** Names and values in turn, as Node writes them the fastest. */
export type HeaderList = readonly string[];

/** An answer that only has to be written. */
export interface Answer {
  status: number;
  headers: HeaderList;
  /** Text and not bytes: Node then writes head and body at once, which saves a quarter of the time of a small answer. */
  body: string;
  encoding: 'latin1' | 'utf8';
}

export function jsonAnswer(status: number, body: string, headers: HeaderList = []): Answer {
  const length = Buffer.byteLength(body);
  return {
    status,
    headers: ['Content-Type', JSON_TYPE, 'Content-Length', String(length), ...headers],
    body,
    // One byte for every character: it is all ASCII, which needs no encoding.
    encoding: length === body.length ? 'latin1' : 'utf8',
  };
}

export function emptyAnswer(status: number, headers: HeaderList): Answer {
  return { status, headers, body: '', encoding: 'latin1' };
}

/** `common` stands on every answer; `close` asks the caller to come back on another connection. */
export function writeAnswer(
  response: ServerResponse,
  requestId: string,
  answer: Answer,
  { common, close }: { common: HeaderList; close: boolean },
): void {
  const head = [REQUEST_ID_HEADER, requestId, ...common, ...answer.headers];
  if (close) head.push('Connection', 'close');
  response.writeHead(answer.status, head);
  response.end(answer.body, answer.encoding);
}
