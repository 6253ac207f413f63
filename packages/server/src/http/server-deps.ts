import type { Logger } from 'pino';
import type { HeaderList } from './answer.ts';
import type { Backlog } from './backlog.ts';
import type { Front } from './front.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { RequestLog } from './request-log.ts';

export interface ServerDeps {
  logger: Logger;
  requestLog: RequestLog;
  lifecycle: Lifecycle;
  backlog: Backlog;
  /** What every answer carries. */
  headers: HeaderList;
  front?: Front;
  writeTimeoutMs?: number | undefined;
}
