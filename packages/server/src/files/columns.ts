import { COLUMNS, type Column, REQUIRED_COLUMNS } from '../domain/clients/client-columns.ts';
import { Failure } from '../domain/failure.ts';
import { suggest } from '../domain/suggest.ts';

/** Columns that a file of rejected rows has in addition. An import ignores them, so the corrected file can be imported as it is. */
export const REJECTION_COLUMNS = ['reject_line', 'reject_reason'] as const;

/** A list of the API can have the time of the last change, which an import determines itself. */
const IGNORED: ReadonlySet<string> = new Set([...REJECTION_COLUMNS, 'updated_at']);
const KNOWN: ReadonlySet<string> = new Set(COLUMNS);

/** What the columns of a file mean. */
export interface ColumnOptions {
  /** Which column of the file is which of ours, where their names differ. */
  mapping?: Readonly<Record<string, string>> | undefined;
  /** Whether columns that are not ours are left out. Otherwise a file with such a column is refused. */
  ignoresUnknown?: boolean | undefined;
}

/** Finds out what the names of columns mean: in any letter case, with spaces or hyphens, and with the mapping. */
export class ColumnNames {
  readonly #mapping: ReadonlyMap<string, string>;
  readonly #mapped: readonly string[];
  readonly #ignoresUnknown: boolean;

  constructor({ mapping = {}, ignoresUnknown = false }: ColumnOptions = {}) {
    this.#mapped = Object.keys(mapping);
    this.#mapping = new Map(Object.entries(mapping).map(([theirs, ours]) => [normalName(theirs), ours]));
    this.#ignoresUnknown = ignoresUnknown;
  }

  /** A column that the mapping names and the file does not have. */
  findMissing(header: readonly string[]): string | undefined {
    const given = new Set(header.map(normalName));
    return this.#mapped.find((name) => !given.has(normalName(name)));
  }

  /** Our column, `ignored`, or `undefined` if the name is unknown. */
  find(name: string): Column | 'ignored' | undefined {
    const normal = normalName(name);
    const ours = this.#mapping.get(normal) ?? normal;
    if (isColumn(ours)) return ours;
    return this.#ignoresUnknown || IGNORED.has(ours) ? 'ignored' : undefined;
  }
}

/** The mapping that is written as `column:field` for each column. A column may have a colon in its name. */
export function toMapping(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const separator = pair.lastIndexOf(':');
      const theirs = pair.slice(0, separator).trim();
      const ours = normalName(pair.slice(separator + 1));
      if (separator > 0 && theirs !== '' && isColumn(ours)) return [theirs, ours];
      throw new Failure('bad_parameter', `mapping must be column:field, where field is one of ${COLUMNS.join(', ')}.`);
    }),
  );
}

function normalName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}

/** The column at each position of the header, or `undefined` where the column is ignored. */
export function readHeader(header: readonly string[], names = new ColumnNames()): (Column | undefined)[] {
  const unmapped = names.findMissing(header);
  if (unmapped !== undefined) {
    throw badFile(`the mapping names the column ${displayName(unmapped)}, which the header does not have`);
  }
  const columns = header.map((cell) => {
    const column = names.find(cell);
    if (column === undefined) throw badFile(unknownColumnMessage(cell.trim().toLowerCase()));
    return column === 'ignored' ? undefined : column;
  });
  const repeated = columns.find((column, index) => column !== undefined && columns.indexOf(column) !== index);
  if (repeated !== undefined) throw badFile(`the header has the column ${repeated} twice`);
  const missing = REQUIRED_COLUMNS.filter((column) => !columns.includes(column));
  if (missing.length > 0) throw badFile(`the header is missing ${missing.join(', ')}`);
  return columns;
}

/** Says that a column is unknown, and suggests the one that was probably meant. */
export function unknownColumnMessage(name: string): string {
  const meant = suggest(name, COLUMNS);
  return `${displayName(name)} is not a column${meant ? `; did you mean ${meant}?` : ` (known: ${COLUMNS.join(', ')})`}`;
}

export function isColumn(name: string): name is Column {
  return KNOWN.has(name);
}

/** The failure for a file that cannot be imported at all. */
export function badFile(problem: string, line = 1): Failure {
  return new Failure('bad_parameter', `line ${line}: ${problem}${problem.endsWith('?') ? '' : '.'}`);
}

function displayName(name: string): string {
  return name === '' ? '(empty)' : name.slice(0, 60).replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
}
