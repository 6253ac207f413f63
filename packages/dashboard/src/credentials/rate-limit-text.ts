const PERIODS: Record<string, string> = { s: 'second', m: 'minute', h: 'hour' };

/** The limit of a key in words; null means that it has the limit of all keys. */
export function rateLimitText(limit: string | null, defaultLimit: string): string {
  return limit === null ? `${limitText(defaultLimit)} (the limit of all keys)` : limitText(limit);
}

/** What leaving the field empty means. The limit of all keys is not known before the keys are loaded. */
export function emptyLimitText(defaultLimit: string | undefined): string {
  const which = defaultLimit === undefined ? '' : `, which is ${defaultLimit === '0' ? 'none' : defaultLimit}`;
  return `Leave it empty for the limit of all keys${which}.`;
}

/** The console sends a limit as a rate and a burst, such as `500/s,1000`. */
function limitText(limit: string): string {
  if (limit === '0') return 'No limit';
  const [, rate, period = '', burst] = /^(\d+)\/([smh]),(\d+)$/.exec(limit) ?? [];
  if (rate === undefined) return limit;
  const number = (text: string | undefined) => Number(text).toLocaleString();
  return `${number(rate)} per ${PERIODS[period]}, up to ${number(burst)} at once`;
}
