import type { FetchHeaders } from './fetch.ts';

/** The rate limit of the caller, and what is left of it. */
export interface ReadRateLimit {
  /** This many calls come back in this time. */
  quota: number;
  windowSeconds: number;
  left: number;
  fullInSeconds: number;
}

/** Exactly one policy with its parameters, such as `"api";q=200;w=2`. What a gateway between us adds is not for us to judge. */
const ONE_POLICY = /^"([\w-]+)"((?:; ?[a-z]+=\d{1,12})+)$/;

/** Reads `RateLimit-Policy` and `RateLimit`. Returns `undefined` unless both are there and are understood. */
export function readRateLimit(headers: FetchHeaders): ReadRateLimit | undefined {
  const policy = readField(headers.get('ratelimit-policy'));
  const state = readField(headers.get('ratelimit'));
  if (!policy || policy.name !== state?.name) return undefined;
  const { q: quota, w: windowSeconds } = policy.parameters;
  const { r: left, t: fullInSeconds } = state.parameters;
  if (!quota || !windowSeconds || left === undefined || fullInSeconds === undefined) return undefined;
  return { quota, windowSeconds, left, fullInSeconds };
}

function readField(value: string | null) {
  const [, name, text] = ONE_POLICY.exec(value ?? '') ?? [];
  if (name === undefined || text === undefined) return undefined;
  const parameters: Record<string, number> = {};
  for (const [, key = '', digits] of text.matchAll(/([a-z]+)=(\d+)/g)) parameters[key] = Number(digits);
  return { name, parameters };
}
