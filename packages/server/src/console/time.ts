import { formatTime, TIME_MAX } from '../domain/time.ts';

/** Times leave as in the public API. A key that was made before times were bounded may end later; nobody waits for it. */
export function timeText(time: number): string {
  return formatTime(Math.min(time, TIME_MAX));
}

export function timeTextOrNull(time: number | null): string | null {
  return time === null ? null : timeText(time);
}
