import { isUuid, problemWithEmail, problemWithName } from '../text.ts';
import { CLIENT_NAME_MAX_LENGTH, type Client, problemWithExternalId } from './client.ts';
import { COLUMNS, type Column, type FilledColumns, REQUIRED_COLUMNS } from './client-columns.ts';
import { type DateForm, parseDate, problemWithDate } from './date-form.ts';
import { GROUP_NAME_MAX_LENGTH } from './group.ts';
import { isReferenceId } from './reference-id-shape.ts';
import { findWord, problemWithWord, type ValueMapping } from './value-mapping.ts';

/** A row as it is in the file, with its line number. A missing column is the same as an empty cell. */
export interface SourceRow {
  line: number;
  cells: Partial<Record<Column, string>>;
  /** The reason why the row could not be read. The reader then also sets `raw` to the beginning of its text, and the cells to what they probably are. */
  unreadable?: string;
  /** Without a reason, the cells are those that a member has entered for the row. */
  raw?: string;
  /** The cells after that of the last column, if a row has too many. */
  surplus?: string;
  /** How many rows without anything in them were skipped before it. */
  blankBefore?: number;
  /** The number of characters of the row in the file. */
  length?: number;
  /** How much of the file has been read with this row, from 0 to 1, if its reader knows that better than by the bytes. */
  share?: number;
}

/** What the cells of a file mean, where they do not say it themselves. */
export interface CellReading {
  /** How its dates are written. */
  dates?: DateForm | undefined;
  /** Of dates and times without an offset. UTC if it is not given. */
  timeZone?: string | undefined;
  /** Which of our words its values mean. */
  values?: ValueMapping | undefined;
}

/** The row with the values of columns that its file does not have. */
export function withFilled(row: SourceRow, filled: FilledColumns = {}): SourceRow {
  return { ...row, cells: { ...filled, ...row.cells } };
}

/** A row with valid cells. A missing field keeps its value in an existing client and gets its default in a new one. */
export interface ImportRow extends Pick<Client, 'email' | 'name' | 'type' | 'groupName'> {
  line: number;
  requestStatus?: Client['requestStatus'];
  status?: Client['status'];
  createdAt?: number;
  referenceId?: string;
  groupToken?: string;
  /** Null is the same as missing. */
  externalId?: string | null;
}

/** All of them at once, so that a row can be corrected at once. Each begins with its columns: `email must be …; group_token must be …`. */
const BETWEEN_PROBLEMS = '; ';
const NEXT_PROBLEM = new RegExp(`${BETWEEN_PROBLEMS}(?=(?:${COLUMNS.join('|')})[ ,])`);

/** The problems that `parseRow` has found in a row, one by one. */
export function problemsIn(reason: string): string[] {
  return reason.split(NEXT_PROBLEM);
}

/** Checks the cells of a row. Returns all problems as one text if there are any. */
export function parseRow({ line, cells, unreadable }: SourceRow, reading: CellReading = {}): ImportRow | string {
  if (unreadable) return unreadable;
  const { email = '', client_name: name = '', client_type: type = '', group_name: groupName = '' } = cells;
  const missing = REQUIRED_COLUMNS.filter((column) => !cells[column]?.trim());
  const problems = missing.length > 0 ? [`${missing.join(', ')} must not be empty`] : [];
  const check = (column: RequiredColumn, problem: string | undefined) => {
    if (problem && !missing.includes(column)) problems.push(`${column} ${problem}`);
  };
  check('email', problemWithEmail(email));
  check('client_name', problemWithName(name, CLIENT_NAME_MAX_LENGTH));
  const knownType = findWord('client_type', type, reading.values);
  check('client_type', knownType ? undefined : problemWithWord('client_type', type));
  check('group_name', problemWithName(groupName, GROUP_NAME_MAX_LENGTH));
  const optional = readOptional(cells, problems, reading);
  if (problems.length > 0 || !knownType) return problems.join(BETWEEN_PROBLEMS);
  return { line, email: email.trim(), name: name.trim(), groupName: groupName.trim(), type: knownType, ...optional };
}

type RequiredColumn = (typeof REQUIRED_COLUMNS)[number];
type OptionalFields = Omit<ImportRow, 'line' | 'email' | 'name' | 'type' | 'groupName'>;

/** The fields of the optional columns. Adds to the problems if there are any. */
function readOptional(
  cells: SourceRow['cells'],
  problems: string[],
  { dates, timeZone, values }: CellReading,
): OptionalFields {
  const fields: OptionalFields = {};
  if (cells.request_status) {
    const requestStatus = findWord('request_status', cells.request_status, values);
    if (requestStatus) fields.requestStatus = requestStatus;
    else problems.push(`request_status ${problemWithWord('request_status', cells.request_status)}`);
  }
  if (cells.client_status) {
    const status = findWord('client_status', cells.client_status, values);
    if (status) fields.status = status;
    else problems.push(`client_status ${problemWithWord('client_status', cells.client_status)}`);
  }
  if (cells.created_at) {
    const text = cells.created_at.trim();
    const createdAt = parseDate(text, dates, timeZone);
    if (createdAt !== undefined) fields.createdAt = createdAt;
    else problems.push(`created_at ${problemWithDate(text, dates)}`);
  }
  if (cells.reference_id) {
    const referenceId = cells.reference_id.trim();
    if (isReferenceId(referenceId)) fields.referenceId = referenceId;
    else problems.push('reference_id must look like 1729142752266-1557');
  }
  if (cells.group_token) {
    const groupToken = cells.group_token.trim().toLowerCase();
    if (isUuid(groupToken)) fields.groupToken = groupToken;
    else problems.push('group_token must be a UUID');
  }
  const externalId = cells.external_id?.trim();
  if (externalId) {
    const problem = problemWithExternalId(externalId);
    if (problem) problems.push(`external_id ${problem}`);
    else fields.externalId = externalId;
  }
  return fields;
}
