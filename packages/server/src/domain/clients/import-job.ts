import { randomBytes } from 'node:crypto';
import type { Actor } from '../change.ts';
import { Failure } from '../failure.ts';
import type { Client } from './client.ts';
import type { Fields, FilledColumns } from './client-columns.ts';
import type { ImportedClient, ImportSummary, Rejection, RowRules } from './import-clients.ts';
import type { ImportState } from './import-state.ts';
import type { JobBooks } from './job-runner.ts';
import type { CellReading } from './parse-row.ts';

/** How to read a file and its cells, also those of rejected rows that are corrected, and what to do with its rows. */
export interface ImportRequest extends CellReading, RowRules {
  /** The name of the file, for the activity log. */
  name: string;
  format: string;
  encoding?: string | undefined;
  dryRun: boolean;
  /** Which column of the file is which field, where their names differ. */
  mapping: Readonly<Record<string, string>>;
  /** Whether other columns are left out. Otherwise a file that has any is refused. */
  ignoresUnknown: boolean;
  /** What each column is, where a member has chosen that. Then the names of the columns do not matter. */
  fields?: Fields | undefined;
  /** The values of columns that the file does not have. */
  filled?: FilledColumns | undefined;
}

/** An import that the service runs, also when its caller has left. The numbers are those of the rows that are imported. */
export interface ImportJob extends ImportSummary {
  workspaceId: number;
  id: string;
  state: ImportState;
  request: ImportRequest;
  actor: Actor;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  rowsRead: number;
  /** How much of the file the rows that were read are, from 0 to 1, if that is known. */
  shareRead: number | null;
  /** Why it failed. */
  reason: string | null;
}

/** What a batch adds to an import. */
export interface ImportProgress extends ImportSummary {
  /** The number of its first row in the file. */
  firstRow: number;
  rows: number;
  /** How much of the file has been read with it, if that is known. */
  share: number | undefined;
  rejections: readonly NumberedRejection[];
  /** The clients that it has added or changed; none in a dry run. */
  clients: readonly ImportedClient[];
}

export interface NumberedRejection extends Rejection {
  /** Of the row in the file. */
  rowNumber: number;
}

/** A reason with the number of rows that were rejected for it, and the lines of the first of them. */
export interface RejectReason {
  reason: string;
  rows: number;
  lines: number[];
}

/** A client that an import has added or changed, as it is now. */
export interface ClientOfImport {
  client: Client;
  isAdded: boolean;
}

/** What is known of an import, its rejected rows and its clients are kept for this long after its end. */
export const REJECTS_KEPT_MS = 30 * 24 * 3_600_000;

/** Reads imports, and keeps books about which process runs them. */
export interface ImportJobs extends JobBooks<ImportJob> {
  find(workspaceId: number, id: string): Promise<ImportJob | undefined>;
  /** Newest first. */
  latest(workspaceId: number, page: { offset: number; limit: number }): Promise<ImportJob[]>;
  /** The rejected rows after this row number, oldest first; empty after the last one. */
  rejects(workspaceId: number, id: string, after: number, limit?: number): Promise<NumberedRejection[]>;
  /** Why rows were rejected that are kept, in the order in which the reasons appear in the file. */
  rejectReasons(workspaceId: number, id: string, limit: number): Promise<RejectReason[]>;
  /** Some of the rejected rows, oldest first, and how many are kept. */
  rejectsPage(
    workspaceId: number,
    id: string,
    page: { offset: number; limit: number },
  ): Promise<{ rejects: NumberedRejection[]; total: number }>;
  /** How many of the rejected rows come before this row of the file. */
  countRejectsBefore(workspaceId: number, id: string, rowNumber: number): Promise<number>;
  /** How many of the clients that an import has added or changed are kept and still exist. */
  countClients(workspaceId: number, id: string): Promise<number>;
  /** Some of them, in the order in which they were added to Rollcall. */
  clientsPage(workspaceId: number, id: string, page: { offset: number; limit: number }): Promise<ClientOfImport[]>;
  /** The ids of those that are kept. */
  clientIds(workspaceId: number, id: string): Promise<number[]>;
  /** Begins to store the bytes of an import, which is not one before `ImportChanges.enqueue`. */
  begin(job: Pick<ImportJob, 'workspaceId' | 'id' | 'request' | 'actor' | 'createdAt'>): Promise<void>;
  addPiece(workspaceId: number, id: string, piece: { number: number; bytes: Uint8Array; at: number }): Promise<void>;
  /** Removes bytes of which no import was made. */
  discard(workspaceId: number, id: string): Promise<void>;
  /** Removes the bytes of an import that is over. */
  removePieces(workspaceId: number, id: string): Promise<void>;
  piece(workspaceId: number, id: string, number: number): Promise<Uint8Array | undefined>;
  /** How many bytes are stored. */
  size(workspaceId: number, id: string): Promise<number>;
  /** Forgets the numbers and the rejected rows of a dry run that begins again. */
  startOver(job: ImportJob, runner: string): Promise<void>;
  /** Lets another process go on at once. */
  release(job: ImportJob, runner: string): Promise<void>;
  /** Removes an import that is over, with its rejected rows. */
  remove(workspaceId: number, id: string): Promise<void>;
  /** Removes what is left of imports that ended long ago, or whose bytes never arrived. */
  removeOld(now: number): Promise<void>;
}

/** Changes to imports within a change to the workspace. */
export interface ImportChanges {
  find(id: string): Promise<ImportJob | undefined>;
  /** Those of the rejected rows that are still there. */
  rejects(id: string, rowNumbers: readonly number[]): Promise<NumberedRejection[]>;
  /** The ids of the kept clients that it has added or changed. */
  clientIds(id: string): Promise<number[]>;
  /** Rows that were rejected have been imported, or are rejected again. */
  correct(job: ImportJob, corrected: Corrected): Promise<void>;
  /** Makes an import of the stored bytes. */
  enqueue(id: string): Promise<ImportJob>;
  /** Ends an import that is not over. Returns it as it is then, or `undefined` if there is none. */
  cancel(id: string): Promise<ImportJob | undefined>;
  /**
   * Adds to its numbers. Fails if the import has ended, another process runs it or the rows have been imported already, so that
   * the batch is not imported.
   */
  advance(job: ImportJob, runner: string, progress: ImportProgress): Promise<void>;
  /** Counts as a change if the import is completed and was not a dry run, but has changed nothing, so that it is recorded, too. */
  end(job: ImportJob, runner: string, state: 'completed' | 'failed', reason?: string): Promise<void>;
}

/** What became of rejected rows that were corrected. */
export interface Corrected extends Omit<ImportSummary, 'rejected'> {
  /** The numbers of the rows that were imported. */
  imported: readonly number[];
  /** With what was tried, and the reason why it was not enough. */
  rejections: readonly NumberedRejection[];
  clients: readonly ImportedClient[];
}

export function makeJobId(): string {
  return `imp_${randomBytes(12).toString('base64url')}`;
}

/** Thrown within a change when the import must not go on. */
export class ImportEnded extends Failure {
  constructor() {
    super('conflict', 'The import has ended, or another process runs it.');
  }
}

/** How many rejected rows of an import are kept. All of them are counted. A tiny file can be unpacked to billions of rows. */
export const REJECTS_KEPT_MAX = 10_000;

/** So many imports of a workspace may wait at the same time. */
export const WAITING_IMPORTS_MAX = 100;

export function isOver({ state }: Pick<ImportJob, 'state'>): boolean {
  return state !== 'queued' && state !== 'running';
}

export function unknownImport(id: string): Failure {
  return new Failure('not_found', `There is no import with the id ${id}.`);
}
