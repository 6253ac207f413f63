import { type RawBuilder, sql } from 'kysely';

/**
 * Whether one of the columns contains the text, whatever the case of its letters. `lower` changes only the letters of ASCII, on
 * both engines: SQLite knows no others, and the columns of PostgreSQL have the collation "C". The other letters of the text
 * are replaced one by one, so both engines find the same.
 */
export function containsText(columns: readonly RawBuilder<string>[], text: string): RawBuilder<boolean> {
  const found = formsOf(text).flatMap((form) => columns.map((column) => contains(column, form)));
  return sql<boolean>`(${sql.join(found, sql` or `)})`;
}

/** A letter with an accent is one character or two. Names that people type have mostly one, those of files on a Mac two. */
function formsOf(text: string): string[] {
  return [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])];
}

function contains(column: RawBuilder<string>, text: string): RawBuilder<boolean> {
  let value = sql<string>`lower(${column})`;
  let pattern = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  for (const [upper, lower] of casesIn(text)) {
    value = sql`replace(${value}, ${upper}, ${lower})`;
    pattern = pattern.replaceAll(upper, lower);
  }
  return sql<boolean>`${value} like ${`%${pattern.replace(/[%_\\]/g, '\\$&')}%`} escape '\\'`;
}

/** The letters of the text that are not ASCII, each once and in both cases. Those with no one-to-one counterpart are left out. */
function casesIn(text: string): Map<string, string> {
  const cases = new Map<string, string>();
  for (const letter of text.match(/[^\0-\x7f]/gu) ?? []) {
    const lower = letter.toLowerCase();
    const upper = lower.toUpperCase();
    const isPair = upper !== lower && upper.toLowerCase() === lower && [upper, lower].includes(letter);
    if (isPair) cases.set(upper, lower);
  }
  return cases;
}
