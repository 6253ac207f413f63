import { COLUMNS, type Column, REQUIRED_COLUMNS } from '../domain/clients/client-columns.ts';
import { Failure } from '../domain/failure.ts';
import { suggest } from '../domain/suggest.ts';

/** Columns that a file of rejected rows has in addition. An import ignores them, so the corrected file can be imported as it is. */
export const REJECTION_COLUMNS = ['reject_line', 'reject_reason'] as const;

/** A list of the API can have the time of the last change, which an import determines itself. */
const IGNORED: ReadonlySet<string> = new Set([...REJECTION_COLUMNS, 'updated_at']);
const KNOWN: ReadonlySet<string> = new Set(COLUMNS);

/** The column at each position of the header, or `undefined` where the column is ignored. */
export function readHeader(header: readonly string[]): (Column | undefined)[] {
  const names = header.map((cell) => cell.trim().toLowerCase());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw badFile(`the header has the column ${displayName(repeated)} twice`);
  for (const name of names) {
    if (!KNOWN.has(name) && !IGNORED.has(name)) throw badFile(unknownColumnMessage(name));
  }
  const missing = REQUIRED_COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) throw badFile(`the header is missing ${missing.join(', ')}`);
  return names.map((name) => (KNOWN.has(name) ? (name as Column) : undefined));
}

/** Says that a column is unknown, and suggests the one that was probably meant. */
export function unknownColumnMessage(name: string): string {
  const meant = suggest(name, COLUMNS);
  return `${displayName(name)} is not a column${meant ? `; did you mean ${meant}?` : ` (known: ${COLUMNS.join(', ')})`}`;
}

export function isColumn(name: string): name is Column {
  return KNOWN.has(name);
}

export function isIgnoredColumn(name: string): boolean {
  return IGNORED.has(name);
}

/** The failure for a file that cannot be imported at all. */
export function badFile(problem: string, line = 1): Failure {
  return new Failure('bad_parameter', `line ${line}: ${problem}${problem.endsWith('?') ? '' : '.'}`);
}

function displayName(name: string): string {
  return name === '' ? '(empty)' : name.slice(0, 60).replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
}
