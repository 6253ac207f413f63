import type { Insertable, Selectable } from 'kysely';
import type { ClientName, MovedClients } from '../../domain/clients/manage-groups.ts';
import { AdaptiveSliceSize, SlicePauses } from '../adaptive-slice-size.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { newEvent } from './client-events.ts';
import { ANY, LIST_START, type Position } from './client-index/combination.ts';
import { INDEX_LEVELS } from './client-index/levels.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';

/** The rows of one statement stay well below the statement timeout of PostgreSQL, where each changes a dozen indexes. */
const ROWS_AT_ONCE = 1000;

const COLUMNS = [
  'id',
  'created_at',
  'group_id',
  'request_status',
  'client_type',
  'client_status',
  'email_folded',
  'reference_id',
  'name',
] as const satisfies (keyof Tables['clients'])[];

type Row = Pick<Selectable<Tables['clients']>, (typeof COLUMNS)[number]>;

interface NamedGroup {
  id: number;
  name: string;
}

/** Reads slice by slice, so that other requests are hardly delayed, and stops as soon as it has found enough. */
export async function findSharedEmails(
  engine: Engine,
  { workspaceId, from, into, limit }: { workspaceId: number; from: number; into: number; limit: number },
): Promise<ClientName[]> {
  const { reads: db } = engine;
  const sliceSize = new AdaptiveSliceSize(engine.sliceMs);
  const pauses = new SlicePauses();
  const shared: ClientName[] = [];
  for (let position = LIST_START; ; ) {
    const last = await sliceSize.measure(async (rowsAtOnce) => {
      const rows = await readOldest(db, { workspaceId, groupId: from, position, limit: rowsAtOnce });
      shared.push(...(await sharedEmailsOf(engine, db, { workspaceId, groupId: into, rows })));
      return rows.length === rowsAtOnce ? rows.at(-1) : undefined;
    });
    if (!last || shared.length >= limit) return shared.slice(0, limit);
    position = { createdAt: last.created_at, id: last.id + 1 };
    await pauses.afterSlice();
  }
}

/** Moves the oldest clients of a group, each with a line in its history, unless one of them has the email of a client of the other. */
export async function moveClients(
  work: ClientUnitOfWork,
  from: NamedGroup,
  into: NamedGroup,
  limit: number,
): Promise<MovedClients> {
  const { engine, db, workspaceId } = work;
  const position = await firstPosition(db, workspaceId, from.id);
  const found = await readOldest(db, { workspaceId, groupId: from.id, position, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const sameEmail = await sharedEmailsOf(engine, db, { workspaceId, groupId: into.id, rows });
  if (sameEmail.length > 0) return { moved: 0, hasMore: found.length > 0, sameEmail };
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const ids = rows.slice(start, start + ROWS_AT_ONCE).map(({ id }) => id);
    await db
      .updateTable('clients')
      .set({ group_id: into.id })
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', engine.listOf(ids))
      .execute();
  }
  for (const row of rows) work.noteMoved(row, { ...row, group_id: into.id });
  if (rows.length > 0) work.addEvents(eventsOf(work, rows, { from, into }));
  return { moved: rows.length, hasMore: found.length > rows.length, sameEmail };
}

function* eventsOf(
  work: ClientUnitOfWork,
  rows: readonly Row[],
  { from, into }: { from: NamedGroup; into: NamedGroup },
): Generator<Insertable<Tables['client_events']>> {
  const changes = { from: { group_name: from.name }, to: { group_name: into.name } };
  for (const { id } of rows) yield newEvent(work, id, 'changed', changes);
}

/**
 * A position before all clients of the group, and close to the first. Without it, each part of a merge would pass over the
 * index entries of all clients that the earlier parts have moved, for as long as PostgreSQL keeps them.
 */
async function firstPosition(db: ReadOnlyDatabase, workspaceId: number, groupId: number): Promise<Position> {
  const run = await db
    .selectFrom('client_runs')
    .where('workspace_id', '=', workspaceId)
    .where('level', '=', INDEX_LEVELS.runs.number)
    .where('group_id', '=', groupId)
    .where('request_status', '=', ANY)
    .where('client_type', '=', ANY)
    .where('client_status', '=', ANY)
    .where('size', '>', 0)
    .orderBy('created_at')
    .orderBy('id')
    .select(['created_at', 'id'])
    .limit(1)
    .executeTakeFirst();
  return run ? { createdAt: run.created_at, id: run.id } : LIST_START;
}

/** The clients of a group from a position on, in the order of its list. */
function readOldest(
  db: ReadOnlyDatabase,
  list: { workspaceId: number; groupId: number; position: Position; limit: number },
): Promise<Row[]> {
  const { createdAt, id } = list.position;
  return db
    .selectFrom('clients')
    .where('workspace_id', '=', list.workspaceId)
    .where('group_id', '=', list.groupId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '>=', tuple(createdAt, id)))
    .orderBy('created_at')
    .orderBy('id')
    .select(COLUMNS)
    .limit(list.limit)
    .execute();
}

/** Those clients whose email a client of the group has. */
async function sharedEmailsOf(
  { listOf }: Engine,
  db: ReadOnlyDatabase,
  { workspaceId, groupId, rows }: { workspaceId: number; groupId: number; rows: readonly Row[] },
): Promise<ClientName[]> {
  if (rows.length === 0) return [];
  // The group is compared here, so that a database does not look for the emails among all clients of the group.
  const others = await db
    .selectFrom('clients')
    .where('workspace_id', '=', workspaceId)
    .where('email_folded', 'in', listOf(rows.map((row) => row.email_folded)))
    .select(['email_folded', 'group_id'])
    .execute();
  const taken = new Set(others.filter((other) => other.group_id === groupId).map((other) => other.email_folded));
  return rows
    .filter((row) => taken.has(row.email_folded))
    .map(({ reference_id: referenceId, name }) => ({ referenceId, name }));
}
