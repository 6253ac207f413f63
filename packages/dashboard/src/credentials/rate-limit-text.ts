const PERIODS: Record<string, string> = { s: 'second', m: 'minute', h: 'hour' };

/** A rate limit in words. The console sends it as a rate and a burst, such as `500/s,1000`. */
export function rateLimitText(limit: string | null): string {
  if (limit === null) return 'The limit of all keys';
  if (limit === '0') return 'No limit';
  const [, rate, period = '', burst] = /^(\d+)\/([smh]),(\d+)$/.exec(limit) ?? [];
  if (rate === undefined) return limit;
  const number = (text: string | undefined) => Number(text).toLocaleString();
  return `${number(rate)} per ${PERIODS[period]}, up to ${number(burst)} at once`;
}
