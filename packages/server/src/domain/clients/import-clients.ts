import { randomBytes } from 'node:crypto';
import type { ChangeBy, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';
import { type CountedRows, NO_ROWS, withRows } from './counted-rows.ts';
import { type GroupChangeSummary, NO_GROUP_CHANGES, newGroupsIn, withGroupChanges } from './group-change-counts.ts';
import { IdSet } from './id-set.ts';
import { type CellReading, type ImportRow, parseRow, type SourceRow } from './parse-row.ts';
import { type StatusChangeCount, StatusChangeCounts } from './status-change-counts.ts';

/** Which rows have an effect: all, only those of new clients, or only those of existing ones. */
export const ONLY_ROWS = ['insert', 'update'] as const;
export type OnlyRows = (typeof ONLY_ROWS)[number];

/** What rows may do. */
export interface RowRules {
  only?: OnlyRows | undefined;
  /** Whether clients that exist keep their request status and client status, whatever the rows say. */
  keepsStatus?: boolean | undefined;
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
  statusChanges: readonly StatusChangeCount[];
  groupChanges: GroupChangeSummary;
  /** Those that gave a client that they recognise by an id another email. It may be the id of somebody else. */
  emailChanges: CountedRows;
  /** Those that added a client although a client of another group had its email. */
  emailsElsewhere: CountedRows;
  /** Those that changed a client that an earlier row of the file had added or changed. It may be the client of somebody else. */
  repeats: CountedRows;
}

/** Of an import that has not begun. */
export const NOTHING_IMPORTED: ImportSummary = {
  inserted: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  statusChanges: [],
  groupChanges: NO_GROUP_CHANGES,
  emailChanges: NO_ROWS,
  emailsElsewhere: NO_ROWS,
  repeats: NO_ROWS,
};

export type RowOutcome = 'inserted' | 'updated' | 'unchanged' | { rejected: string };

/** What became of rows: the outcome of each, in order, and the changes of statuses, groups and emails by all of them. */
export interface RowResults {
  outcomes: RowOutcome[];
  statusChanges: StatusChangeCount[];
  groupChanges: GroupChangeSummary;
  emailChanges: CountedRows;
  emailsElsewhere: CountedRows;
  repeats: CountedRows;
}

/** A client that was added or changed. The id is that of the store, which no other client of the workspace ever has. */
export interface ImportedClient {
  id: number;
  isAdded: boolean;
}

/** Also which clients were added or changed. */
export interface AppliedRows extends RowResults {
  clients: ImportedClient[];
  /** The ids of all clients that a row has added or changed, also of those that a later row has made again what they were before. */
  touched: number[];
}

/** The clients that earlier rows of a file have added or changed. */
export type EarlierClients = Pick<IdSet, 'has'>;

/** The import of rows within a change. */
export interface RowChanges {
  /** Applies the rows in order. Of many rows, some at a time may be applied in the same change. */
  importRows(rows: readonly ImportRow[], rules?: RowRules, earlier?: EarlierClients): Promise<AppliedRows>;
}

export interface ClientImports {
  /** How many rows to apply in one transaction: enough to be efficient, but few enough that others wait only briefly. */
  readonly rowsAtOnce: number;
  openDryRun(workspaceId: number): Promise<DryRun>;
}

/** Tells what an import would do with the rows, taking the earlier batches into account, and changes nothing. */
export interface DryRun {
  importRows(rows: readonly ImportRow[], options: RowRules & { at: number }): Promise<RowResults>;
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

/** Why a row is rejected that would bring back an erased client. */
export const ERASED_REFERENCE = 'the client with this reference_id was erased';

/** Applies valid rows in one transaction and records the import in the activity log. */
export async function importRows(
  { changeWorkspace, clock }: Omit<ImportDeps, 'clients'>,
  by: ChangeBy,
  rows: readonly ImportRow[],
  { id, name }: ImportOrigin,
  rules?: RowRules,
  earlier?: EarlierClients,
): Promise<RowResults & Pick<AppliedRows, 'touched'>> {
  return changeWorkspace({ ...by, at: clock.now(), isLong: true }, async (change) => {
    const { clients, ...results } = await change.clients.importRows(rows, rules, earlier);
    const newGroups = newGroupsIn(results.groupChanges);
    change.record('client.imported', name, { id, clients: clients.length, newGroups });
    return results;
  });
}

/** A batch keeps the text of its rows in memory, and a row may have a million characters. */
const BATCH_CHARACTERS_MAX = 16 * 1024 * 1024;

/** Imports rows in batches, each in one transaction, and keeps only one batch in memory. Importing the same rows again adds no client twice. */
export async function importClients(
  deps: ImportDeps,
  by: ChangeBy,
  source: AsyncIterable<SourceRow> | Iterable<SourceRow>,
  options: CellReading &
    RowRules & {
      origin: ImportOrigin;
      dryRun?: boolean | undefined;
      /** Stops the import before the next batch. */
      stop?: AbortSignal | undefined;
      onReject(rejection: Rejection): void | Promise<void>;
      onProgress?(summary: ImportSummary): void;
    },
): Promise<ImportSummary> {
  const dryRun = options.dryRun ? await deps.clients.openDryRun(by.workspaceId) : undefined;
  const summary = { ...NOTHING_IMPORTED };
  const statusChanges = new StatusChangeCounts();
  const reject = async (row: SourceRow, reason: string) => {
    summary.rejected++;
    await options.onReject({ row, reason });
  };
  const earlier = new IdSet();
  const apply = async (rows: readonly ImportRow[]): Promise<RowResults> => {
    if (dryRun) return dryRun.importRows(rows, { ...options, at: deps.clock.now() });
    const { touched, ...results } = await importRows(deps, by, rows, options.origin, options, earlier);
    earlier.add(touched);
    return results;
  };
  let batch: { row: SourceRow; parsed: ImportRow }[] = [];
  let characters = 0;
  const flush = async () => {
    options.stop?.throwIfAborted();
    const results = await apply(batch.map(({ parsed }) => parsed));
    statusChanges.addAll(results.statusChanges);
    summary.statusChanges = statusChanges.list();
    summary.groupChanges = withGroupChanges(summary.groupChanges, results.groupChanges);
    summary.emailChanges = withRows(summary.emailChanges, results.emailChanges);
    summary.emailsElsewhere = withRows(summary.emailsElsewhere, results.emailsElsewhere);
    summary.repeats = withRows(summary.repeats, results.repeats);
    for (const [index, outcome] of results.outcomes.entries()) {
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
      const parsed = parseRow(row, options);
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
