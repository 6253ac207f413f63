/** Control, direction and line-break characters. Joiners are allowed, because ordinary names contain them. */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes characters (as `\x1b`) with which a name could move the cursor, start a new line or reverse the text. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
    return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\u{${code}}`;
  });
}

/** The same for text whose line breaks are our own. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
