import type { Principal } from '../domain/access-token.ts';
import type { HttpServer } from '../http/server.ts';

export interface CallCount {
  count(principal: Principal): void;
}

/** Every call of a known caller counts for its key, whatever the answer. In memory: it runs on the hot path. */
export function addCallCount(app: HttpServer, calls: CallCount): void {
  app.addHook('onResponse', async ({ principal }) => {
    if (principal) calls.count(principal);
  });
}
