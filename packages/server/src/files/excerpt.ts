const EXCERPT_LENGTH = 1000;

/** The beginning of a text, as a text of its own: a part of a long text would keep all of it in memory. */
export function excerpt(text: string): string {
  // Browsers, which show the first rows of a file, have no Buffer.
  return new TextDecoder().decode(new TextEncoder().encode(text.slice(0, EXCERPT_LENGTH)));
}
