import {
  COLUMNS,
  type Column,
  type Fields,
  type FilledColumns,
  REQUIRED_COLUMNS,
} from '../domain/clients/client-columns.ts';
import { Failure } from '../domain/failure.ts';
import { suggest } from '../domain/suggest.ts';

/** Columns that a file of rejected rows has in addition. An import ignores them, so the corrected file can be imported as it is. */
export const REJECTION_COLUMNS = ['reject_line', 'reject_reason'] as const;

/** A list of the API can have the time of the last change, which an import determines itself. */
const IGNORED: ReadonlySet<string> = new Set([...REJECTION_COLUMNS, 'updated_at'].map(normalName));
const KNOWN: ReadonlyMap<string, Column> = new Map(COLUMNS.map((column) => [normalName(column), column]));

const KNOWN_TEXT = `known: ${COLUMNS.join(', ')}`;
const WAY_OUT =
  'On the command line, --mapping gives a column one of these names and --ignore-unknown-columns leaves the others out; over the API, mapping and unknown_columns=ignore do';
export const NO_HEADER = `the first row must be a header with the names of the columns (${KNOWN_TEXT})`;
const UNKNOWN_SHOWN = 20;

const EMAIL = /\S@\S+\.\S/;

/** What the columns of a file mean. */
export interface ColumnOptions {
  /** Which column of the file is which of ours, where their names differ. */
  mapping?: Readonly<Record<string, string>> | undefined;
  /** Whether columns that are not ours are left out. Otherwise a file with such a column is refused. */
  ignoresUnknown?: boolean | undefined;
  /** What each column is, in their order, where that was chosen; null if it is left out. Then names do not matter. */
  fields?: Fields | undefined;
}

/** Finds out what the names of columns mean: in any letter case, with or without spaces or hyphens, and with the mapping. */
export class ColumnNames {
  readonly fields: Fields | undefined;
  /** Where each name of a file without a header appeared first. */
  readonly #places = new Map<string, number>();
  readonly #mapping: ReadonlyMap<string, Column | undefined>;
  readonly #mapped: readonly string[];
  readonly #ignoresUnknown: boolean;

  constructor({ mapping = {}, ignoresUnknown = false, fields }: ColumnOptions = {}) {
    this.fields = fields;
    this.#mapped = Object.keys(mapping);
    this.#mapping = new Map(Object.entries(mapping).map(([theirs, ours]) => [normalName(theirs), columnNamed(ours)]));
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
    return (
      this.#mapping.get(normal) ??
      columnNamed(normal) ??
      (this.#ignoresUnknown || IGNORED.has(normal) ? 'ignored' : undefined)
    );
  }

  /** The same for all names of a row that has them itself. Where fields were chosen, the order in which names appear counts. */
  findAll(names: readonly string[]): (Column | 'ignored' | undefined)[] {
    const { fields } = this;
    if (!fields) return names.map((name) => this.find(name));
    return names.map((name) => {
      const place = this.#places.get(name) ?? this.#places.size;
      if (place < fields.length) this.#places.set(name, place);
      const field = fields[place];
      return field === null ? 'ignored' : field;
    });
  }
}

/** What each column is, as it was chosen, where some that are missing have one value for all rows. */
export function toFields(chosen: readonly (Column | 'none')[], filled: FilledColumns = {}): Fields {
  const fields = chosen.map((each) => (each === 'none' ? null : each));
  const repeated = fields.find((field, index) => field !== null && fields.indexOf(field) !== index);
  if (repeated) throw new Failure('bad_parameter', `columns names ${repeated} twice.`);
  const twice = COLUMNS.find((column) => fields.includes(column) && Object.hasOwn(filled, column));
  if (twice) throw new Failure('bad_parameter', `${twice} must not be given, because columns names it.`);
  const missing = REQUIRED_COLUMNS.filter((column) => !fields.includes(column) && !Object.hasOwn(filled, column));
  if (missing.length > 0) throw new Failure('bad_parameter', `columns must name ${missing.join(', ')}.`);
  return fields;
}

/** The mapping that is written as `column:field` for each column. A column may have a colon in its name. */
export function toMapping(pairs: readonly string[]): Record<string, string> {
  const seen = new Set<string>();
  return Object.fromEntries(
    pairs.map((pair) => {
      const separator = pair.lastIndexOf(':');
      const theirs = pair.slice(0, separator).trim();
      const ours = columnNamed(pair.slice(separator + 1));
      if (separator > 0 && theirs !== '' && ours) {
        if (seen.has(normalName(theirs))) throw new Failure('bad_parameter', `mapping names ${theirs} twice.`);
        seen.add(normalName(theirs));
        return [theirs, ours];
      }
      throw new Failure('bad_parameter', `mapping must be column:field, where field is one of ${COLUMNS.join(', ')}.`);
    }),
  );
}

/** Without what is written in one way or another: `Client name`, `client_name`, `E-Mail`. */
function normalName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '');
}

function columnNamed(name: string): Column | undefined {
  return KNOWN.get(normalName(name));
}

/** The column at each position of the header, or `undefined` where the column is ignored. */
export function readHeader(header: readonly string[], names = new ColumnNames(), line = 1): (Column | undefined)[] {
  if (names.fields) return chosenColumns(header, names.fields, line);
  const unmapped = names.findMissing(header);
  if (unmapped !== undefined) {
    throw badFile(`the mapping names the column ${displayName(unmapped)}, which the header does not have`, line);
  }
  const found = header.map((cell) => names.find(cell));
  const unknown = header.filter((_, index) => found[index] === undefined);
  if (unknown.length > 0 && isNoHeader(header, found)) throw badFile(NO_HEADER, line);
  if (unknown.length > 0) throw badFile(unknownColumnsMessage(unknown), line);
  const columns = found.map((column) => (column === 'ignored' ? undefined : column));
  const repeated = columns.find((column, index) => column !== undefined && columns.indexOf(column) !== index);
  if (repeated !== undefined) throw badFile(`the header has the column ${repeated} twice`, line);
  const missing = REQUIRED_COLUMNS.filter((column) => !columns.includes(column));
  if (missing.length > 0) throw badFile(`the header is missing ${missing.join(', ')}`, line);
  return columns;
}

function chosenColumns(header: readonly string[], fields: Fields, line: number): (Column | undefined)[] {
  if (header.length === fields.length) return fields.map((field) => field ?? undefined);
  throw badFile(`the header has ${header.length} columns, but ${fields.length} were chosen`, line);
}

/** A header has names of columns, and no addresses. */
export function hasEmail(header: readonly string[]): boolean {
  return header.some((cell) => EMAIL.test(cell));
}

/** Then not a word of it is repeated: it may be a person, and the reason why an import failed is kept. */
function isNoHeader(header: readonly string[], found: readonly (Column | 'ignored' | undefined)[]): boolean {
  if (hasEmail(header)) return true;
  const isOurs = (cell: string, index: number) => found[index] !== undefined || suggest(cell, COLUMNS) !== undefined;
  return !header.some(isOurs);
}

/** All of them at once, so that they can be corrected at once. */
function unknownColumnsMessage(names: readonly string[]): string {
  const [only = ''] = names;
  if (names.length === 1) return unknownColumnMessage(only.trim());
  const shown = names.slice(0, UNKNOWN_SHOWN).map((name) => {
    const meant = suggest(name, COLUMNS);
    return displayName(name.trim()) + (meant ? ` (did you mean ${meant}?)` : '');
  });
  const more = names.length > UNKNOWN_SHOWN ? ` and ${names.length - UNKNOWN_SHOWN} more` : '';
  return `these are not columns: ${shown.join(', ')}${more}; ${KNOWN_TEXT}. ${WAY_OUT}`;
}

/** Says that a column is unknown, and suggests the one that was probably meant. */
export function unknownColumnMessage(name: string): string {
  const meant = suggest(name, COLUMNS);
  if (meant) return `${displayName(name)} is not a column; did you mean ${meant}?`;
  return `${displayName(name)} is not a column (${KNOWN_TEXT}). ${WAY_OUT}`;
}

/** The failure for a file that cannot be imported at all. */
export function badFile(problem: string, line = 1): Failure {
  return new Failure('bad_parameter', `line ${line}: ${problem}${problem.endsWith('?') ? '' : '.'}`);
}

function displayName(name: string): string {
  if (EMAIL.test(name)) return '(an email)';
  return name === '' ? '(empty)' : name.slice(0, 60).replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
}
