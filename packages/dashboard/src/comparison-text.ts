const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const SMALL_PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** A part of a whole, such as `12%` or `0.4%`. Only nothing is 0%, and only everything is 100%. */
export function percentText(part: number, whole: number): string {
  const share = whole === 0 ? 0 : part / whole;
  if (share > 0 && share < 0.001) return `<${SMALL_PERCENT.format(0.001)}`;
  if (share > 0.999 && share < 1) return `>${SMALL_PERCENT.format(0.999)}`;
  const isNearEnd = share < 0.01 || (share > 0.99 && share < 1);
  return (isNearEnd ? SMALL_PERCENT : PERCENT).format(share);
}

/** From here on, a percentage says less than how many times as many it is. */
const MANY_TIMES = 4;

/** A percentage of fewer, or a number of times as many, would say much about hardly anything. */
const FEW = 5;

/** A count compared with that of an earlier period, such as `12% more than in the 7 days before`. */
export function comparisonText(now: number, before: number, period: string): string {
  if (before === 0) return `none in the ${period} before`;
  if (now === before) return `as many as in the ${period} before`;
  if (before < FEW) return `${before} in the ${period} before`;
  if (now >= MANY_TIMES * before) {
    const times = Math.round(now / before);
    return `${times * before === now ? '' : 'about '}${times.toLocaleString()} times as many as in the ${period} before`;
  }
  const change = percentText(Math.abs(now - before), before);
  return `${change} ${now > before ? 'more' : 'fewer'} than in the ${period} before`;
}
