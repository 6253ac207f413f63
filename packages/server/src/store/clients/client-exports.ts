import type { Client } from '../../domain/clients/client.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { ClientExports } from '../../domain/clients/export-clients.ts';
import { matchWords, wordsOfClient } from '../../domain/clients/words.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { matchesFilter } from './client-filter.ts';
import { combinationsFor, type FilterCombination, LIST_START } from './client-index/combination.ts';
import { rangeOf, WHOLE_LIST } from './client-index/list-union.ts';
import { PageStatements } from './client-index/page-statements.ts';
import { type ClientRow, selectClients, toClient } from './client-rows.ts';
import { isOfFewClients } from './few-clients.ts';
import { findGroupIds } from './filtered-groups.ts';
import { listRowToClient, positionOf } from './list-row.ts';
import { oldestFirst, type RowPosition, readSlices } from './list-slices.ts';
import type { SearchBounds } from './search-bounds.ts';
import { findCandidates, positionsOf, type WordTask } from './word-candidates.ts';

const BATCH_ROWS = 2000;

interface Task {
  db: ReadOnlyDatabase;
  workspaceId: number;
  filter: ClientFilter;
  signal: AbortSignal | undefined;
}

/** Reads batch by batch within one snapshot, each from the end of the previous one, and keeps only one batch in memory. */
export function openClientExports(engine: Engine, bounds: SearchBounds): ClientExports {
  const statements = new PageStatements(engine);
  return {
    async *readAll(workspaceId, { words, ...filter }, signal) {
      signal?.throwIfAborted();
      const snapshot = await engine.openSnapshot();
      const task = { db: snapshot.db, workspaceId, filter, signal };
      try {
        const batches = words
          ? await searchBatches({ ...task, engine, bounds, words })
          : await listBatches(engine, statements, task);
        for await (const clients of batches) if (clients.length > 0) yield clients;
      } finally {
        await snapshot.close();
      }
    },
  };
}

/**
 * The index of a single whole list returns its clients in order. Everything else is read like a page, because a database
 * would not always use the index in which a batch is a part.
 */
async function listBatches(engine: Engine, statements: PageStatements, task: Task): Promise<AsyncGenerator<Client[]>> {
  const { db, workspaceId, filter } = task;
  const lists = combinationsFor(filter, await findGroupIds(db, engine, workspaceId, filter));
  const isWhole = lists.length === 1 && rangeOf(filter) === WHOLE_LIST && !filter.groupTokens;
  const isMerged = !(isOfFewClients(filter) || (isWhole && filter.clientStatus !== 'inactive'));
  // There may be millions of inactive clients between two active ones, so these are left out of each batch.
  const isActive = filter.clientStatus === 'active';
  const all = isActive ? { ...task, filter: { ...filter, clientStatus: undefined } } : task;
  const batches = isMerged ? mergedBatches(statements, lists, all) : orderedBatches(all);
  return isActive ? activeOnly(batches) : batches;
}

async function* activeOnly(batches: AsyncGenerator<Client[]>): AsyncGenerator<Client[]> {
  for await (const clients of batches) yield clients.filter(({ status }) => status === 'active');
}

async function* orderedBatches({ db, workspaceId, filter, signal }: Task): AsyncGenerator<Client[]> {
  let last: ClientRow | undefined;
  do {
    signal?.throwIfAborted();
    const rows = await readAfter(db, workspaceId, filter, last);
    yield rows.map(toClient);
    last = rows.length === BATCH_ROWS ? rows.at(-1) : undefined;
  } while (last);
}

async function* mergedBatches(
  statements: PageStatements,
  lists: readonly FilterCombination[],
  { db, workspaceId, filter, signal }: Task,
): AsyncGenerator<Client[]> {
  const selection = { lists, range: rangeOf(filter), activeOnly: false, withUpdatedAt: false };
  let from = LIST_START;
  for (let isLast = false; !isLast; ) {
    signal?.throwIfAborted();
    const batch = { direction: 'newer', from, skip: 0, limit: BATCH_ROWS } as const;
    const rows = (await statements.read(workspaceId, selection, batch, db)).reverse();
    yield rows.map(listRowToClient);
    const last = rows.at(-1);
    isLast = rows.length < BATCH_ROWS || !last;
    if (last) from = positionOf(last);
  }
}

/** The same clients as a search finds, and all of them. */
async function searchBatches(task: Task & WordTask): Promise<AsyncGenerator<Client[]>> {
  const candidates = await findCandidates(task);
  if (!candidates) return matchingBatches(task);
  const positions = (await Array.fromAsync(positionsOf(task, candidates, task.filter))).flat();
  return batchesAt(task, positions.sort(oldestFirst));
}

async function* batchesAt(
  { db, engine, workspaceId, signal }: WordTask,
  positions: readonly RowPosition[],
): AsyncGenerator<Client[]> {
  for (let start = 0; start < positions.length; start += BATCH_ROWS) {
    signal?.throwIfAborted();
    const ids = positions.slice(start, start + BATCH_ROWS).map(({ id }) => id);
    const rows = await selectClients(db)
      .where('clients.workspace_id', '=', workspaceId)
      .where('clients.id', 'in', engine.listOf(ids))
      .execute();
    yield rows.sort(oldestFirst).map(toClient);
  }
}

/** Reads slice by slice, because a slice may have no matching client at all. */
async function* matchingBatches(task: Task & WordTask): AsyncGenerator<Client[]> {
  const { db, engine, workspaceId, filter, words, signal } = task;
  const list = { workspaceId, filter, direction: 'oldest' } as const;
  const slices = readSlices({ db, engine, signal }, list, (slice) =>
    inListOrder(db).where(matchesFilter(workspaceId, filter)).where(slice).execute(),
  );
  for await (const rows of slices) yield rows.filter((row) => matchWords(wordsOfClient(row), words)).map(toClient);
}

function readAfter(
  db: ReadOnlyDatabase,
  workspaceId: number,
  filter: ClientFilter,
  last: ClientRow | undefined,
): Promise<ClientRow[]> {
  const query = inListOrder(db).where(matchesFilter(workspaceId, filter)).limit(BATCH_ROWS);
  if (!last) return query.execute();
  return query
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('clients.created_at', 'clients.id'), '>', tuple(last.created_at, last.id)),
    )
    .execute();
}

function inListOrder(db: ReadOnlyDatabase) {
  return selectClients(db).orderBy('clients.created_at').orderBy('clients.id');
}
