import { parseDay } from '#contract/times.ts';

// Reads the parameters in a page's address. A value that cannot be read is left out, so that an old or mistyped address
// still opens.

/** A page number. The first page is the default, so it is not kept in the address. */
export function pageParam(value: unknown): number | undefined {
  const page = Number(value);
  return Number.isSafeInteger(page) && page > 1 ? page : undefined;
}

/** The router reads digits in an address as a number; they are text here. */
export function textParam(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A day such as `2026-01-31`. */
export function dayParam(value: unknown): string | undefined {
  return typeof value === 'string' && parseDay(value) !== undefined ? value : undefined;
}

/** Values that are separated by commas, each once. */
export function listParam(value: unknown): string[] {
  return [...new Set(textParam(value)?.split(',') ?? [])];
}

/** One of a few words. */
export function oneOfParam<Word extends string>(words: Record<Word, string>, value: unknown): Word | undefined {
  return (Object.keys(words) as Word[]).find((word) => word === value);
}
