/** Control, direction and line-break characters; joiners are part of ordinary names. */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name chosen by a stranger must not move the cursor, begin a new line or turn one around: it is shown as `\x1b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
    return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\u{${code}}`;
  });
}

/** The same for text of several lines of our own. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
