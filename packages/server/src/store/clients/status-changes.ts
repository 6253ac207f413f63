import { type RawBuilder, sql } from 'kysely';
import { REQUEST_STATUSES } from '../../domain/clients/request-status.ts';
import { type PeriodTimes, type ReviewTimes, TIMES_READ_MAX } from '../../domain/clients/review-times.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { ClientRow } from './client-rows.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { EVENT_KIND, REQUEST_STATUS } from './enum-codes.ts';

/** So many rows in one statement. */
const ROWS_AT_ONCE = 1000;

/**
 * When the client `clients` came to its present status, by its history. Quotes within a text are escaped there, so that no
 * text contains the name of the field in this form. Neither a change that was undone nor its undo counts. A client whose status
 * was never changed has had it since it was added, whenever an import says that was.
 */
export const STATUS_SINCE = statusSince(sql`clients.created_at`);

/** Where nobody knows for how long a client had its status: it came here with a status that may be older than its record. */
const NOT_KNOWN = -1;

/** The same, unless the client was added long after the time that an import says. Who gives a date as that time means a day. */
const KNOWN_SINCE = statusSince(sql`case when exists (
  select 1 from client_events as added
  where added.workspace_id = clients.workspace_id and added.client_id = clients.id
    and added.kind = ${sql.lit(EVENT_KIND.encode('added'))} and added.at > clients.created_at + ${sql.lit(DAY_MS)}
) then ${sql.lit(NOT_KNOWN)} else clients.created_at end`);

function statusSince(ifNeverChanged: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce((
  select e.at from client_events as e
  where e.workspace_id = clients.workspace_id and e.client_id = clients.id
    and e.kind = ${sql.lit(EVENT_KIND.encode('changed'))} and e.changed_to like '%"request_status":%'
    and e.undoes is null and not exists (
      select 1 from client_events as undo
      where undo.workspace_id = e.workspace_id and undo.client_id = e.client_id
        and undo.version > e.version and undo.undoes = e.version
    )
  order by e.version desc limit 1
), ${ifNeverChanged})`;
}

/**
 * Must be called before a member or a program changes the status of clients. Those whose status stays are left out. Times that
 * clocks of other machines put into the future count as now.
 */
export async function addStatusChanges(
  work: ClientUnitOfWork,
  changes: readonly { row: ClientRow; toStatus: number }[],
): Promise<void> {
  const { db, engine, workspaceId, version, at } = work;
  const changed = changes.filter(({ row, toStatus }) => row.request_status !== toStatus);
  for (let start = 0; start < changed.length; start += ROWS_AT_ONCE) {
    const some = changed.slice(start, start + ROWS_AT_ONCE);
    const found = await db
      .selectFrom('clients')
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', engine.listOf(some.map(({ row }) => row.id)))
      .select(['id', KNOWN_SINCE.as('since')])
      .execute();
    const since = new Map(found.map((client) => [client.id, client.since]));
    const rows = some.map(({ row, toStatus }) => ({
      ...{ workspace_id: workspaceId, client_id: row.id, version, at },
      ...{ from_status: row.request_status, to_status: toStatus },
      ...{ entered_at: Math.min(since.get(row.id) ?? at, at), added_at: Math.min(row.created_at, at) },
    }));
    await engine.insertMany(db, 'status_changes', rows);
  }
}

/** Forgets changes of statuses that are undone, by the versions in which they were made: they do not count as decisions. */
export async function removeStatusChanges(
  { db, engine, workspaceId }: ClientUnitOfWork,
  undone: readonly { clientId: number; version: number }[],
): Promise<void> {
  for (const [version, same] of Map.groupBy(undone, (each) => each.version)) {
    for (let start = 0; start < same.length; start += ROWS_AT_ONCE) {
      const some = same.slice(start, start + ROWS_AT_ONCE);
      await db
        .deleteFrom('status_changes')
        .where('workspace_id', '=', workspaceId)
        .where('client_id', 'in', engine.listOf(some.map(({ clientId }) => clientId)))
        .where('version', '=', version)
        .execute();
    }
  }
}

interface Period {
  workspaceId: number;
  from: number;
  until: number;
  /** How many times a median is computed of. */
  most: number;
}

/** Every figure is read from an index that has its changes in the order of time. Tests read fewer of them. */
export function openReviewTimes(engine: Engine, most = TIMES_READ_MAX): ReviewTimes {
  return {
    between: (workspaceId, from, until) => engine.snapshot((db) => readTimes(db, { workspaceId, from, until, most })),
  };
}

async function readTimes(db: ReadOnlyDatabase, period: Period): Promise<PeriodTimes> {
  const completion = await readMedian(db, period, { status: 'to_status', is: 'completed', since: 'added_at' });
  let isSampled = completion.isSampled;
  const inStatus: [string, number | null][] = [];
  for (const is of REQUEST_STATUSES) {
    const median = await readMedian(db, period, { status: 'from_status', is, since: 'entered_at' });
    inStatus.push([is, median.ms]);
    isSampled ||= median.isSampled;
  }
  return {
    completed: await countDecided(db, period, 'completed'),
    declined: await countDecided(db, period, 'declined'),
    completionMs: completion.ms,
    inStatusMs: Object.fromEntries(inStatus) as PeriodTimes['inStatusMs'],
    isSampled,
  };
}

async function countDecided(
  db: ReadOnlyDatabase,
  { workspaceId, from, until }: Period,
  status: 'completed' | 'declined',
): Promise<number> {
  const { decided } = await db
    .selectFrom('status_changes')
    .where('workspace_id', '=', workspaceId)
    .where('to_status', '=', REQUEST_STATUS.encode(status))
    .where('at', '>=', from)
    .where('at', '<', until)
    .select(({ fn }) => fn.countAll<number>().as('decided'))
    .executeTakeFirstOrThrow();
  return decided;
}

/** Of an even number of times, the shorter of the two in the middle. */
async function readMedian(
  db: ReadOnlyDatabase,
  { workspaceId, from, until, most }: Period,
  of: {
    status: 'from_status' | 'to_status';
    is: (typeof REQUEST_STATUSES)[number];
    since: 'entered_at' | 'added_at';
  },
): Promise<{ ms: number | null; isSampled: boolean }> {
  const { rows } = await sql<{ ms: number; times: number }>`
    select ms, times from (
      select ms, row_number() over (order by ms) as place, count(*) over () as times from (
        select at - ${sql.ref(of.since)} as ms from status_changes
        where workspace_id = ${workspaceId} and ${sql.ref(of.status)} = ${REQUEST_STATUS.encode(of.is)}
          and at >= ${from} and at < ${until} and ${sql.ref(of.since)} > ${NOT_KNOWN}
        order by at desc limit ${most}
      ) as read_times
    ) as ranked where place = (times + 1) / 2`.execute(db);
  const [median] = rows;
  return { ms: median?.ms ?? null, isSampled: median?.times === most };
}
