/** As many as somebody looks up. */
const LINES_KEPT_MAX = 10;

/** The first lines of a file that something was found in, which are the same however the file is divided into batches. */
export function firstLines(soFar: readonly number[], more: readonly number[]): number[] {
  return [...soFar, ...more].slice(0, LINES_KEPT_MAX);
}
