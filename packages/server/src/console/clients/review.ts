import { type AssignClientsDeps, type Assignee, assignClients } from '../../domain/clients/assign-clients.ts';
import { toRecord } from '../../domain/clients/client-record.ts';
import type { Position } from '../../domain/clients/cursor.ts';
import { decideClients } from '../../domain/clients/decide-clients.ts';
import { findNeighboursInReview } from '../../domain/clients/find-neighbours.ts';
import type { ClientPages } from '../../domain/clients/list-clients.ts';
import type { ManageClientsDeps } from '../../domain/clients/manage-clients.ts';
import type { Outcomes } from '../../domain/clients/one-by-one.ts';
import type { QueueRequest, ReviewQueue } from '../../domain/clients/review-queue.ts';
import { compareTimes, type PeriodTimes, type ReviewTimes } from '../../domain/clients/review-times.ts';
import { Failure } from '../../domain/failure.ts';
import { isTime } from '../../domain/time.ts';
import { type AssigneeRecord, NeighboursRecord } from '../contract/clients/clients.ts';
import {
  type Assigned,
  AssignmentForm,
  DecisionAnswer,
  DecisionForm,
  type PeriodRecord,
  ReviewAnswer,
  ReviewNeighboursQuery,
  ReviewPage,
  ReviewQuery,
  ReviewTimesRecord,
} from '../contract/clients/review.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';
import { timeText } from '../time.ts';
import { toExpected } from './client-record.ts';

const PAGE_LIMIT_DEFAULT = 50;

type ReviewDeps = ManageClientsDeps &
  AssignClientsDeps & { clients: ClientPages; reviewQueue: ReviewQueue; reviewTimes: ReviewTimes };

export const reviewRoutes = (deps: ReviewDeps): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/review',
    role: 'viewer',
    query: ReviewQuery,
    data: ReviewPage,
    handle: async ({ actor, workspaceId, query }) => {
      const { clients, next, leavesOut } = await deps.reviewQueue.read(workspaceId, {
        assignedTo: assignedTo(query.assigned, actor.memberId),
        after: query.after === undefined ? undefined : readPosition(query.after),
        limit: query.page_limit ?? PAGE_LIMIT_DEFAULT,
      });
      return {
        results: clients.map(({ client, since, assignee }) => ({
          client: toRecord(client),
          since: timeText(since),
          assignee: toAssignee(assignee),
        })),
        next: next ? `${next.createdAt}-${next.id}` : null,
        leaves_out: leavesOut,
      };
    },
  }),

  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/review/:referenceId/neighbours',
    role: 'viewer',
    query: ReviewNeighboursQuery,
    data: NeighboursRecord,
    handle: async ({ actor, workspaceId, query, parameter }) => {
      const list = assignedTo(query.assigned, actor.memberId);
      const { previous, next } = await findNeighboursInReview(deps, workspaceId, parameter('referenceId'), list);
      return { previous: previous?.referenceId ?? null, next: next?.referenceId ?? null };
    },
  }),

  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/review/decisions',
    role: 'admin',
    body: DecisionForm,
    data: DecisionAnswer,
    handle: async ({ actor, workspaceId, body }) => {
      const outcomes = await decideClients(
        deps,
        { workspaceId, actor },
        {
          clients: body.clients.map((each) => ({ referenceId: each.reference_id, expected: toExpected(each.seen) })),
          requestStatus: body.request_status,
          reason: body.reason,
        },
      );
      return { ...toAnswer(outcomes), version: outcomes.version ?? null };
    },
  }),

  workspaceRoute({
    methods: ['POST'],
    path: '/console/:environment/review/assignments',
    role: 'admin',
    body: AssignmentForm,
    data: ReviewAnswer,
    handle: async ({ actor, workspaceId, body }) =>
      toAnswer(
        await assignClients(
          deps,
          { workspaceId, actor },
          {
            clients: body.clients.map((each) => ({ referenceId: each.reference_id, expected: each.seen_member_id })),
            memberId: body.member_id,
          },
        ),
      ),
  }),

  workspaceRoute({
    methods: ['GET'],
    path: '/console/:environment/review/times',
    role: 'viewer',
    data: ReviewTimesRecord,
    handle: async ({ workspaceId }) => {
      const { current, previous } = await compareTimes(deps, workspaceId, deps.clock.now());
      return {
        current: toPeriod(current),
        previous: toPeriod(previous),
        is_sampled: current.isSampled || previous.isSampled,
      };
    },
  }),
];

function assignedTo(assigned: Assigned | undefined, me: number): QueueRequest['assignedTo'] {
  return assigned === 'me' ? me : assigned;
}

/** The position at which the page before has ended. */
function readPosition(text: string): Position {
  const [, createdAt, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text)?.map(Number) ?? [];
  if (createdAt !== undefined && id !== undefined && isTime(createdAt)) return { createdAt, id };
  throw new Failure('bad_parameter', 'after must be a position that a page of the review has ended with.');
}

export function toAssignee(assignee: Assignee | null): AssigneeRecord | null {
  return assignee && { member_id: assignee.memberId, email: assignee.email };
}

function toAnswer({ changed, refused }: Outcomes): ReviewAnswer {
  return { changed, refused: refused.map((each) => ({ reference_id: each.referenceId, reason: each.reason })) };
}

function toPeriod({ completed, declined, completionMs, inStatusMs }: PeriodTimes): PeriodRecord {
  return { completed, declined, completion_ms: completionMs, in_status_ms: inStatusMs };
}
