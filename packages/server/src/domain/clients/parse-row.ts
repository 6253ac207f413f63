import { fold, isUuid, problemWithEmail, problemWithName } from '../text.ts';
import { parseTime } from '../time.ts';
import { CLIENT_NAME_MAX_LENGTH, CLIENT_STATUSES, CLIENT_TYPES, type Client, problemWithExternalId } from './client.ts';
import { type Column, type FilledColumns, REQUIRED_COLUMNS } from './client-columns.ts';
import { GROUP_NAME_MAX_LENGTH } from './group.ts';
import { isReferenceId } from './reference-id-shape.ts';
import { REQUEST_STATUSES } from './request-status.ts';

/** A row as it is in the file, with its line number. A missing column is the same as an empty cell. */
export interface SourceRow {
  line: number;
  cells: Partial<Record<Column, string>>;
  /** The reason why the row could not be read. The reader then also sets `raw` to the beginning of its text. */
  unreadable?: string;
  raw?: string;
  /** The number of characters of the row in the file. */
  length?: number;
  /** How much of the file has been read with this row, from 0 to 1, if its reader knows that better than by the bytes. */
  share?: number;
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

/** Checks the cells of a row. Returns the problem as text if there is one. */
export function parseRow({ line, cells, unreadable }: SourceRow): ImportRow | string {
  if (unreadable) return unreadable;
  const missing = REQUIRED_COLUMNS.filter((column) => !cells[column]?.trim());
  if (missing.length > 0) return `${missing.join(', ')} must not be empty`;
  const { email = '', client_name: name = '', group_name: groupName = '' } = cells;
  const emailProblem = problemWithEmail(email);
  if (emailProblem) return `email ${emailProblem}`;
  const nameProblem = problemWithName(name, CLIENT_NAME_MAX_LENGTH);
  if (nameProblem) return `client_name ${nameProblem}`;
  const groupProblem = problemWithName(groupName, GROUP_NAME_MAX_LENGTH);
  if (groupProblem) return `group_name ${groupProblem}`;

  const type = word(cells.client_type, CLIENT_TYPES);
  if (!type) return `client_type must be one of ${CLIENT_TYPES.join(', ')}`;
  const row: ImportRow = { line, email: email.trim(), name: name.trim(), groupName: groupName.trim(), type };
  return readOptional(cells, row) ?? row;
}

/** Copies the optional columns into the row. Returns the problem as text if there is one. */
function readOptional(cells: SourceRow['cells'], row: ImportRow): string | undefined {
  if (cells.request_status) {
    const requestStatus = word(cells.request_status, REQUEST_STATUSES);
    if (!requestStatus) return `request_status must be one of ${REQUEST_STATUSES.join(', ')}`;
    row.requestStatus = requestStatus;
  }
  if (cells.client_status) {
    const status = word(cells.client_status, CLIENT_STATUSES);
    if (!status) return `client_status must be one of ${CLIENT_STATUSES.join(', ')}`;
    row.status = status;
  }
  if (cells.created_at) {
    const createdAt = parseTime(cells.created_at.trim());
    if (createdAt === undefined)
      return 'created_at must be a date such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z';
    row.createdAt = createdAt;
  }
  if (cells.reference_id) {
    const referenceId = cells.reference_id.trim();
    if (!isReferenceId(referenceId)) return 'reference_id must look like 1729142752266-1557';
    row.referenceId = referenceId;
  }
  if (cells.group_token) {
    const groupToken = cells.group_token.trim().toLowerCase();
    if (!isUuid(groupToken)) return 'group_token must be a UUID';
    row.groupToken = groupToken;
  }
  const externalId = cells.external_id?.trim();
  if (externalId) {
    const problem = problemWithExternalId(externalId);
    if (problem) return `external_id ${problem}`;
    row.externalId = externalId;
  }
  return undefined;
}

function word<Word extends string>(text: string | undefined, words: readonly Word[]): Word | undefined {
  const wanted = fold(text ?? '');
  return words.find((each) => each === wanted);
}
