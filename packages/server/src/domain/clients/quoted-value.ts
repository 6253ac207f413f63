const SHOWN_MAX_LENGTH = 60;

/** A value of a file as a reason shows it: without what would break a line or turn it around, and not longer than a reader needs. */
export function quotedValue(text: string): string {
  const value = text.trim().replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  const shown = value.length > SHOWN_MAX_LENGTH ? `${value.slice(0, SHOWN_MAX_LENGTH).toWellFormed()}…` : value;
  return `“${shown}”`;
}
