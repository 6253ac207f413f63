import { randomBytes } from 'node:crypto';
import type { ChangeBy, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import { fold, problemWithEmail, problemWithName } from '../text.ts';
import { parseTime } from '../time.ts';
import { CLIENT_NAME_MAX_LENGTH, CLIENT_STATUSES, CLIENT_TYPES, type Client } from './client.ts';
import { type Column, REQUIRED_COLUMNS } from './client-columns.ts';
import { GROUP_NAME_MAX_LENGTH } from './group.ts';
import { isReferenceId } from './reference-id.ts';
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
}

/** A row with valid cells. A missing field keeps its value in an existing client and gets its default in a new one. */
export interface ImportRow extends Pick<Client, 'email' | 'name' | 'type' | 'groupName'> {
  line: number;
  requestStatus?: Client['requestStatus'];
  status?: Client['status'];
  createdAt?: number;
  referenceId?: string;
  groupToken?: string;
}

export interface Rejection {
  row: SourceRow;
  reason: string;
}

export interface ImportSummary {
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

export type RowOutcome = 'inserted' | 'updated' | 'unchanged' | { rejected: string };

/** The import of rows within a change. */
export interface RowChanges {
  /** Applies the rows in order. Returns the outcome of each row, and how many clients were added or changed. */
  importRows(rows: readonly ImportRow[]): Promise<{ outcomes: RowOutcome[]; clients: number }>;
}

export interface ClientImports {
  /** How many rows to apply in one transaction: enough to be efficient, but few enough that others wait only briefly. */
  readonly rowsAtOnce: number;
  openDryRun(workspaceId: number): Promise<DryRun>;
}

/** Tells what an import would do with the rows, taking the earlier batches into account, and changes nothing. */
export interface DryRun {
  importRows(rows: readonly ImportRow[], options: { at: number }): Promise<RowOutcome[]>;
  close(): Promise<void>;
}

export interface ImportDeps {
  clients: ClientImports;
  changeWorkspace: ChangeWorkspace<{ clients: RowChanges }>;
  clock: Clock;
}

/** What the activity log says about an import. All parts of one import have the same id. */
export interface ImportOrigin {
  id: string;
  /** The name of the file. */
  name: string;
}

export function makeImportId(): string {
  return randomBytes(9).toString('base64url');
}

/** Applies valid rows in one transaction and records the import in the activity log. */
export async function importRows(
  { changeWorkspace, clock }: Omit<ImportDeps, 'clients'>,
  by: ChangeBy,
  rows: readonly ImportRow[],
  { id, name }: ImportOrigin,
): Promise<RowOutcome[]> {
  return changeWorkspace({ ...by, at: clock.now() }, async (change) => {
    const { outcomes, clients } = await change.clients.importRows(rows);
    change.record('client.imported', name, { id, clients });
    return outcomes;
  });
}

/** A batch keeps the text of its rows in memory, and a row may have a million characters. */
const BATCH_CHARACTERS_MAX = 16 * 1024 * 1024;

/** Imports rows in batches, each in one transaction, and keeps only one batch in memory. Importing the same rows again changes nothing. */
export async function importClients(
  deps: ImportDeps,
  by: ChangeBy,
  source: AsyncIterable<SourceRow> | Iterable<SourceRow>,
  options: {
    origin: ImportOrigin;
    dryRun?: boolean | undefined;
    /** Stops the import before the next batch. */
    stop?: AbortSignal | undefined;
    onReject(rejection: Rejection): void | Promise<void>;
    onProgress?(summary: ImportSummary): void;
  },
): Promise<ImportSummary> {
  const dryRun = options.dryRun ? await deps.clients.openDryRun(by.workspaceId) : undefined;
  const summary: ImportSummary = { inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  const reject = async (row: SourceRow, reason: string) => {
    summary.rejected++;
    await options.onReject({ row, reason });
  };
  let batch: { row: SourceRow; parsed: ImportRow }[] = [];
  let characters = 0;
  const flush = async () => {
    options.stop?.throwIfAborted();
    const rows = batch.map(({ parsed }) => parsed);
    const outcomes = await (dryRun?.importRows(rows, { at: deps.clock.now() }) ??
      importRows(deps, by, rows, options.origin));
    for (const [index, outcome] of outcomes.entries()) {
      const entry = batch[index];
      if (typeof outcome === 'string') summary[outcome]++;
      else if (entry) await reject(entry.row, outcome.rejected);
    }
    batch = [];
    characters = 0;
    options.onProgress?.(summary);
  };

  try {
    for await (const row of source) {
      const parsed = parseRow(row);
      if (typeof parsed === 'string') {
        await reject(row, parsed);
        continue;
      }
      batch.push({ row, parsed });
      characters += row.length ?? 0;
      if (batch.length === deps.clients.rowsAtOnce || characters > BATCH_CHARACTERS_MAX) await flush();
    }
    if (batch.length > 0) await flush();
    return summary;
  } finally {
    await dryRun?.close();
  }
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
    if (createdAt === undefined) return 'created_at must be a valid time, such as 2026-01-31T09:30:00.000Z';
    row.createdAt = createdAt;
  }
  if (cells.reference_id) {
    const referenceId = cells.reference_id.trim();
    if (!isReferenceId(referenceId)) return 'reference_id must look like 1729142752266-1557';
    row.referenceId = referenceId;
  }
  if (cells.group_token) {
    const groupToken = cells.group_token.trim().toLowerCase();
    if (!UUID.test(groupToken)) return 'group_token must be a UUID';
    row.groupToken = groupToken;
  }
  return undefined;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function word<Word extends string>(text: string | undefined, words: readonly Word[]): Word | undefined {
  const wanted = fold(text ?? '');
  return words.find((each) => each === wanted);
}
