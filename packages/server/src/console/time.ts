/** Times leave as in the public API: UTC with milliseconds. */
export function timeText(time: number): string {
  return new Date(time).toISOString();
}

export function timeTextOrNull(time: number | null): string | null {
  return time === null ? null : timeText(time);
}
