import { COLUMNS, type Fields } from '#contract/clients/files.ts';

/** More than the kinds of files that a firm has. */
const HEADERS_KEPT = 20;

/** Longer ones would fill the storage of the browser. */
const HEADER_MAX_LENGTH = 10_000;

/** What was chosen for the columns of the last file with this header, of this account in this browser. */
export function rememberedFields(accountId: number, header: readonly string[]): Fields | undefined {
  return readFields(localStorage.getItem(keyOf(accountId))).get(JSON.stringify(header));
}

/** Only the names of the columns and what they are: nothing of the rows. */
export function rememberFields(accountId: number, header: readonly string[], fields: Fields): void {
  const text = JSON.stringify(header);
  if (text.length > HEADER_MAX_LENGTH) return;
  const others = [...readFields(localStorage.getItem(keyOf(accountId)))].filter(([each]) => each !== text);
  localStorage.setItem(keyOf(accountId), JSON.stringify([...others, [text, fields]].slice(-HEADERS_KEPT)));
}

/** By header. Without what an earlier version of the page may have stored and this one does not understand. */
export function readFields(stored: string | null): ReadonlyMap<string, Fields> {
  try {
    return new Map((JSON.parse(stored ?? '[]') as unknown[]).filter(isRemembered));
  } catch {
    // This page has not stored it.
    return new Map();
  }
}

function isRemembered(entry: unknown): entry is [string, Fields] {
  const [header, fields] = entry as [string, Fields];
  const known = fields.filter((field) => field !== null);
  return (
    JSON.parse(header).length === fields.length &&
    known.every((field) => COLUMNS.includes(field)) &&
    new Set(known).size === known.length
  );
}

function keyOf(accountId: number): string {
  return `rollcall-columns-${accountId}`;
}
