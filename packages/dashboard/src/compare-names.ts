const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/** The order in which people expect names: numbers by their value, and letters as in a dictionary of their language. */
export function compareNames(a: string, b: string): number {
  return COLLATOR.compare(a, b);
}
