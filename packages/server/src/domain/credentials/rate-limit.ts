/** How many calls a caller may make: `perSecond` in the long run, and `burst` at once. */
export interface RateLimit {
  perSecond: number;
  burst: number;
  /** The period in which the rate was written and is described, if it was not a second. */
  period?: Period;
}

const SECONDS = { s: 1, m: 60, h: 3600 };

type Period = keyof typeof SECONDS;

const PERIOD_WORDS: Record<Period, string> = { s: 'a second', m: 'a minute', h: 'an hour' };

/** The highest rate per second or burst. More would not limit anything. */
const MOST = 1_000_000;

/** A rate per second, minute or hour, and a burst. Without a burst, it is what may arrive in one such period. */
const SHAPE = /^(\d{1,7})\/([smh])(?:,(\d{1,7}))?$/;

export const RATE_LIMIT_FORM =
  'a rate and a burst such as 100/s,200 (per s, m or h; without a burst, it is as many as the rate), or 0 for no limit';

/** Returns null for `0`, which means no limit, and `undefined` for a text that cannot be read. */
export function parseRateLimit(text: string): RateLimit | null | undefined {
  const trimmed = text.replaceAll(' ', '');
  if (trimmed === '0') return null;
  const [, rate, letter, burst = rate] = SHAPE.exec(trimmed) ?? [];
  if (rate === undefined || letter === undefined) return undefined;
  const period = letter as Period;
  const perSecond = Number(rate) / SECONDS[period];
  const isInRange = Number(rate) >= 1 && perSecond <= MOST && Number(burst) >= 1 && Number(burst) <= MOST;
  return isInRange ? { perSecond, burst: Number(burst), ...(period !== 's' && { period }) } : undefined;
}

/** The inverse of `parseRateLimit`. */
export function formatRateLimit(limit: RateLimit | null): string {
  if (limit === null) return '0';
  const { rate, period } = wholeRate(limit);
  return `${rate}/${period},${limit.burst}`;
}

/** The rate in words, such as `100 calls a second`. Takes the noun in the singular. */
export function describeRate(limit: RateLimit, noun: string): string {
  const { rate, period } = wholeRate(limit);
  return `${rate} ${rate === 1 ? noun : `${noun}s`} ${PERIOD_WORDS[period]}`;
}

/** In the period in which the limit was written, and otherwise in the shortest one in which the rate is a whole number. */
function wholeRate({ perSecond, period: written }: RateLimit): { rate: number; period: Period } {
  for (const [period, seconds] of Object.entries(SECONDS)) {
    if (written !== undefined && written !== period) continue;
    const rate = perSecond * seconds;
    if (Math.abs(rate - Math.round(rate)) < 1e-6) return { rate: Math.round(rate), period: period as Period };
  }
  throw new Error(`A rate of ${perSecond} per second cannot be written.`);
}
