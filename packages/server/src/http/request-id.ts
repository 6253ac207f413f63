import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Identifiers that are safe in a log line and in a header. Any other that a caller sends is replaced. */
const WELL_FORMED = /^[A-Za-z0-9._:@/+=-]{1,128}$/;

export function requestIdOf(message: IncomingMessage): string {
  const sent = message.headers['x-request-id'];
  return typeof sent === 'string' && WELL_FORMED.test(sent) ? sent : randomUUID();
}
