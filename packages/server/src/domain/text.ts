/**
 * The one form in which text is compared: trimmed, NFC, lower case. Both storage engines compare the bytes of this
 * form, so they cannot disagree about letters.
 */
export function fold(text: string): string {
  return text.trim().normalize('NFC').toLowerCase().normalize('NFC');
}

/** Text that every engine can store and give back unchanged: no NUL, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
