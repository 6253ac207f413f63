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

/** A row as the file has it, and where. Absent columns and empty cells are the same. */
export interface SourceRow {
  line: number;
  cells: Partial<Record<Column, string>>;
  /** Set by the reader when the row itself could not be read, together with the beginning of its text. */
  unreadable?: string;
  raw?: string;
  /** How many characters of the file it took. */
  length?: number;
}

/** A row that is sound in itself. What is not given stays as it is, or takes its default on a new client. */
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

/** What a change may do with the rows of a file. */
export interface RowChanges {
  /** Applies the rows in order and says what became of each, and how many clients are now other than before. */
  importRows(rows: readonly ImportRow[]): Promise<{ outcomes: RowOutcome[]; clients: number }>;
}

export interface ClientImports {
  /** How many rows to apply at once: few enough that nobody waits long for the write lock, or else as many as pay. */
  readonly rowsAtOnce: number;
  openDryRun(workspaceId: number): Promise<DryRun>;
}

/** Says what an import would make of the rows, each batch after what it said of the earlier ones; changes nothing. */
export interface DryRun {
  importRows(rows: readonly ImportRow[], options: { at: number }): Promise<RowOutcome[]>;
  close(): Promise<void>;
}

export interface ImportDeps {
  clients: ClientImports;
  changeWorkspace: ChangeWorkspace<{ clients: RowChanges }>;
  clock: Clock;
}

/** What the record says of an import. One that comes in several pieces has one id. */
export interface ImportOrigin {
  id: string;
  /** The name of the file. */
  name: string;
}

export function makeImportId(): string {
  return randomBytes(9).toString('base64url');
}

/** Applies rows that are sound in themselves, all of them or none, and puts them on record. */
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

/** A batch holds on to the text that its rows came from, and a row may have a million characters. */
const BATCH_CHARACTERS_MAX = 16 * 1024 * 1024;

/** Imports rows as they come. Memory is one batch; each batch is all or nothing; running it again changes nothing. */
export async function importClients(
  deps: ImportDeps,
  by: ChangeBy,
  source: AsyncIterable<SourceRow> | Iterable<SourceRow>,
  options: {
    origin: ImportOrigin;
    dryRun?: boolean | undefined;
    /** Ends the import before its next batch. */
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

/** Checks a row by itself. Returns what is wrong with it as text. */
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

/** Fills in what is given of the optional columns. Returns what is wrong, if anything is. */
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
    if (createdAt === undefined) return 'created_at must be a time that exists, such as 2026-01-31T09:30:00.000Z';
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
