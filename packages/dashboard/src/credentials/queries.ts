import { queryOptions } from '@tanstack/react-query';
import type { KeyDetails, KeyList } from '#contract/credentials/keys.ts';
import type { RecentCallsRecord } from '#contract/credentials/recent-calls.ts';
import type { Environment } from '#contract/environments.ts';
import { callConsole } from '../api.ts';

export const keysQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'keys'],
    queryFn: () => callConsole<KeyList>('GET', `/${environment}/keys`),
  });

/** Whoever has just tried the key waits for its calls to be counted, which takes a few seconds. */
const CALLS_COUNTED_MS = 5000;

export const keyQuery = (environment: Environment, keyId: string) =>
  queryOptions({
    refetchInterval: CALLS_COUNTED_MS,
    queryKey: [environment, 'keys', keyId],
    queryFn: () => callConsole<KeyDetails>('GET', keyPath(environment, keyId)),
  });

/** The calls of all keys. */
export const recentCallsQuery = (environment: Environment) =>
  queryOptions({
    queryKey: [environment, 'recent-calls'],
    queryFn: () => callConsole<RecentCallsRecord>('GET', `/${environment}/recent-calls`),
  });

/** Where the console reads and changes this key. */
export function keyPath(environment: Environment, keyId: string): string {
  return `/${environment}/keys/${encodeURIComponent(keyId)}`;
}
