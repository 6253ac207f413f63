import { COLUMNS, type Fields } from '#contract/clients/files.ts';

/** More than the kinds of files that a firm has. */
const HEADERS_KEPT = 20;

/** Longer ones would fill the storage of the browser. */
const HEADER_MAX_LENGTH = 10_000;

/** What was chosen for these columns in earlier files of this account in this browser, and what is suggested for the others. */
export function rememberedFields(accountId: number, header: readonly string[], suggested: Fields): Fields | undefined {
  const remembered = readFields(localStorage.getItem(keyOf(accountId)));
  return remembered.get(JSON.stringify(header)) ?? fieldsByName(remembered, header, suggested);
}

/** For a file with other columns than before. Missing if none of them was chosen before. */
export function fieldsByName(
  remembered: ReadonlyMap<string, Fields>,
  header: readonly string[],
  suggested: Fields,
): Fields | undefined {
  // Those of the last file come last.
  const known = new Map(
    [...remembered].flatMap(([text, fields]) =>
      (JSON.parse(text) as string[]).map((name, index) => [name, fields[index] ?? null] as const),
    ),
  );
  const chosen = header.map((name) => (name === '' ? undefined : known.get(name)));
  const before = chosen.map((field, index) => (field && chosen.indexOf(field) === index ? field : undefined));
  if (before.every((field) => field === undefined)) return undefined;
  return header.map((_, index) => {
    const field = suggested[index] ?? null;
    // Whoever left a column out wants that again.
    return before[index] ?? (chosen[index] === null || before.includes(field ?? undefined) ? null : field);
  });
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
