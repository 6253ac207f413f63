import type { IncomingMessage } from 'node:http';
import { Failure } from '../domain/failure.ts';

const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses changes that other sites try to make: browsers say truthfully which site sent a request. */
export function checkOrigin({ method = '', headers }: IncomingMessage, publicUrl: string | undefined): void {
  if (READING_METHODS.has(method)) return;
  // Without a public address the dashboard is reached directly, over plain HTTP.
  if (headers.origin === (publicUrl ?? `http://${headers.host}`)) return;
  throw new Failure('forbidden', 'This request did not come from the dashboard itself (wrong Origin).');
}
