import { countText } from '../count-text.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Such as `about 2 minutes left`, as exactly as an estimate can be. */
export function timeLeftText(seconds: number): string {
  if (seconds < 5) return 'a few seconds left';
  if (seconds < MINUTE) return `about ${5 * Math.ceil(seconds / 5)} seconds left`;
  if (seconds < 1.5 * HOUR) return `about ${countText(Math.round(seconds / MINUTE), 'minute', 'minutes')} left`;
  return `about ${countText(Math.round(seconds / HOUR), 'hour', 'hours')} left`;
}

/** How long something took. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return 'Less than a second';
  if (seconds < 2 * MINUTE) return countText(seconds, 'second', 'seconds');
  if (seconds < 2 * HOUR) return countText(Math.round(seconds / MINUTE), 'minute', 'minutes');
  return countText(Math.round(seconds / HOUR), 'hour', 'hours');
}
