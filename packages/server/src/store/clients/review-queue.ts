import type { ExpressionBuilder } from 'kysely';
import type { Position } from '../../domain/clients/cursor.ts';
import { WAITING_STATUSES } from '../../domain/clients/request-status.ts';
import {
  ASSIGNED_READ_MAX,
  type QueueRequest,
  type ReviewQueue,
  type WaitingClient,
} from '../../domain/clients/review-queue.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { findAssignee } from './assignments.ts';
import { matchesFilter } from './client-filter.ts';
import { selectClients, toClient } from './client-rows.ts';
import { REQUEST_STATUS } from './enum-codes.ts';
import { STATUS_SINCE } from './status-changes.ts';

interface QueueBounds {
  /** How many of the clients that are assigned to a member are looked at. */
  assigned: number;
  /** How many are looked at for one page, to find those that nobody has. */
  passed: number;
}

const BOUNDS: QueueBounds = { assigned: ASSIGNED_READ_MAX, passed: 2000 };

interface Found {
  ids: number[];
  next: Position | undefined;
  leavesOut?: boolean;
}

type PositionRow = { id: number; created_at: number };

/** Tests use small bounds. */
export function openReviewQueue(engine: Engine, bounds = BOUNDS): ReviewQueue {
  return {
    read: (workspaceId, request) =>
      engine.snapshot(async (db) => {
        const { ids, next, leavesOut = false } = await findWaiting({ db, workspaceId, bounds }, request);
        return { clients: await readWaiting(engine, db, workspaceId, ids), next, leavesOut };
      }),

    assigneeOf: async (workspaceId, referenceId) => {
      const client = await engine.reads
        .selectFrom('clients')
        .where('workspace_id', '=', workspaceId)
        .where('reference_id', '=', referenceId)
        .select('id')
        .executeTakeFirst();
      return client ? findAssignee(engine.reads, workspaceId, client.id) : null;
    },
  };
}

interface Place {
  db: ReadOnlyDatabase;
  workspaceId: number;
  bounds: QueueBounds;
}

function findWaiting(place: Place, request: QueueRequest): Promise<Found> {
  const { assignedTo, ...page } = request;
  if (assignedTo === undefined) return findAll(place, page);
  return assignedTo === 'nobody' ? findUnassigned(place, page) : findAssigned(place, { ...page, memberId: assignedTo });
}

type Page = Omit<QueueRequest, 'assignedTo'>;

/** The clients that wait, in the order of the page, by the index of their status. */
function waitingClients({ db, workspaceId }: Place, page: Page) {
  return db
    .selectFrom('clients')
    .where(matchesFilter(workspaceId, { requestStatuses: WAITING_STATUSES }))
    .where(isOnPage(page))
    .orderBy('clients.created_at', directionOf(page))
    .orderBy('clients.id', directionOf(page))
    .select(['clients.id', 'clients.created_at']);
}

function isOnPage({ after, backwards }: Page) {
  return ({ eb, and, refTuple, tuple }: ExpressionBuilder<Tables, 'clients'>) => {
    if (!after) return and([]);
    return eb(refTuple('clients.created_at', 'clients.id'), backwards ? '<' : '>', tuple(after.createdAt, after.id));
  };
}

function directionOf({ backwards }: Page): 'asc' | 'desc' {
  return backwards ? 'desc' : 'asc';
}

async function findAll(place: Place, page: Page): Promise<Found> {
  const rows = await waitingClients(place, page)
    .limit(page.limit + 1)
    .execute();
  return pageOf(rows, page.limit);
}

async function findUnassigned(place: Place, page: Page): Promise<Found> {
  const { passed } = place.bounds;
  const rows = await waitingClients(place, page)
    .leftJoin('client_assignments as assigned', (join) =>
      join.onRef('assigned.workspace_id', '=', 'clients.workspace_id').onRef('assigned.client_id', '=', 'clients.id'),
    )
    .select('assigned.member_id')
    .limit(passed)
    .execute();
  const { ids, next } = pageOf(
    rows.filter((row) => row.member_id === null),
    page.limit,
  );
  const last = rows.length === passed ? rows.at(-1) : undefined;
  return { ids, next: next ?? (last && positionOf(last)) };
}

/** Starts from the member, to whom few of all clients are assigned. */
async function findAssigned(
  { db, workspaceId, bounds }: Place,
  { memberId, ...page }: Page & { memberId: number },
): Promise<Found> {
  const assigned = db
    .selectFrom('client_assignments')
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
    .orderBy('assigned_at', 'desc')
    .orderBy('client_id', 'desc')
    .select('client_id');
  const leftOut = await assigned.offset(bounds.assigned).limit(1).executeTakeFirst();
  const rows = await db
    .selectFrom(assigned.limit(bounds.assigned).as('assigned'))
    .crossJoin('clients')
    .where('clients.workspace_id', '=', workspaceId)
    .whereRef('clients.id', '=', 'assigned.client_id')
    .where(
      'clients.request_status',
      'in',
      WAITING_STATUSES.map((status) => REQUEST_STATUS.encode(status)),
    )
    .where(isOnPage(page))
    .orderBy('clients.created_at', directionOf(page))
    .orderBy('clients.id', directionOf(page))
    .limit(page.limit + 1)
    .select(['clients.id', 'clients.created_at'])
    .execute();
  return { ...pageOf(rows, page.limit), leavesOut: leftOut !== undefined };
}

/** The page, for which one row more than it has was read if there are more. */
function pageOf(rows: readonly PositionRow[], limit: number): Found {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { ids: page.map(({ id }) => id), next: last && positionOf(last) };
}

function positionOf({ id, created_at: createdAt }: PositionRow): Position {
  return { createdAt, id };
}

/** In the order of the ids. */
async function readWaiting(
  engine: Engine,
  db: ReadOnlyDatabase,
  workspaceId: number,
  ids: readonly number[],
): Promise<WaitingClient[]> {
  if (ids.length === 0) return [];
  const rows = await selectClients(db)
    .leftJoin('client_assignments as assigned', (join) =>
      join.onRef('assigned.workspace_id', '=', 'clients.workspace_id').onRef('assigned.client_id', '=', 'clients.id'),
    )
    .leftJoin('members', 'members.id', 'assigned.member_id')
    .where('clients.workspace_id', '=', workspaceId)
    .where('clients.id', 'in', engine.listOf(ids))
    .select([STATUS_SINCE.as('since'), 'members.id as member_id', 'members.email as member_email'])
    .execute();
  const byId = new Map(
    rows.map(({ since, member_id: memberId, member_email: email, ...row }) => {
      const assignee = memberId === null || email === null ? null : { memberId, email };
      return [row.id, { client: toClient(row), since, assignee }];
    }),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}
