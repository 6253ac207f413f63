import { expect, test } from 'vitest';
import { OPERATOR } from '../domain/change.ts';
import { revokeKey } from '../domain/credentials/manage-keys.ts';
import type { RateLimit } from '../domain/credentials/rate-limit.ts';
import { type LimitOf, openRateLimits, type RateLimitPolicy } from '../domain/credentials/rate-limiter.ts';
import { NetworkList } from '../domain/network-address.ts';
import { aClient, addClients, aKey, anAccount, TestClock } from '../testing/builders.ts';
import { LIST_PATH, openTestApi, TOKEN_PATH, type TestApiOptions } from '../testing/test-api.ts';

const UNLIMITED: Record<RateLimitPolicy, RateLimit | null> = { api: null, token: null, failed: null };
const WRONG_KEY = { 'api-key': `rc_production_${'x'.repeat(43)}` };

interface Options extends TestApiOptions {
  limits?: Partial<Record<RateLimitPolicy, RateLimit>>;
}
