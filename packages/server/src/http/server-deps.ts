import type { RequestRulesDeps } from './request-rules.ts';

export interface ServerDeps extends RequestRulesDeps {
  writeTimeoutMs?: number | undefined;
}
