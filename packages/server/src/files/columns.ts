import { COLUMNS, type Column, REQUIRED_COLUMNS } from '../domain/clients/client-columns.ts';
import { Failure } from '../domain/failure.ts';
import { suggest } from '../domain/suggest.ts';

/** What a rejects file adds to the columns of its source; an import passes over them, so it can be mended and fed back. */
export const REJECT_COLUMNS = ['reject_line', 'reject_reason'] as const;

const IGNORED: ReadonlySet<string> = new Set(REJECT_COLUMNS);
const KNOWN: ReadonlySet<string> = new Set(COLUMNS);

/** What each position of the header means; nothing where it is to be passed over. */
export function readHeader(header: readonly string[]): (Column | undefined)[] {
  const names = header.map((cell) => cell.trim().toLowerCase());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw notThisFile(`the column ${shown(repeated)} stands in the header twice`);
  for (const name of names) {
    if (!KNOWN.has(name) && !IGNORED.has(name)) throw notThisFile(unknownColumn(name));
  }
  const missing = REQUIRED_COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) throw notThisFile(`the header lacks ${missing.join(', ')}`);
  return names.map((name) => (KNOWN.has(name) ? (name as Column) : undefined));
}

/** The text of an unknown name, with the column that was probably meant. */
export function unknownColumn(name: string): string {
  const meant = suggest(name, COLUMNS);
  return `${shown(name)} is not a column${meant ? `; did you mean ${meant}?` : ` (known: ${COLUMNS.join(', ')})`}`;
}

export function isColumn(name: string): name is Column {
  return KNOWN.has(name);
}

export function isIgnored(name: string): boolean {
  return IGNORED.has(name);
}

/** A file that is not what it claims to be: nothing of it is imported. */
export function notThisFile(problem: string, line = 1): Failure {
  return new Failure('bad_parameter', `line ${line}: ${problem}.`);
}

function shown(name: string): string {
  return name === '' ? '(empty)' : name.slice(0, 60).replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
}
