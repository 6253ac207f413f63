import { type Static, Type } from 'typebox';
import { REQUEST_STATUSES } from '../../../domain/clients/request-status.ts';
import { ASSIGNED_READ_MAX } from '../../../domain/clients/review-queue.ts';
import { PERIOD_DAYS, TIMES_READ_MAX } from '../../../domain/clients/review-times.ts';
import { Form, Nullable, Time } from '../fields.ts';
import { BULK_MAX } from './bulk-changes.ts';
import { AssigneeRecord, ChangeClientForm, ClientRecord, ReferenceId } from './clients.ts';

/** So many clients are decided about at once. */
export { ASSIGNED_READ_MAX, BULK_MAX, PERIOD_DAYS, TIMES_READ_MAX };

/** What became of the clients. */
export const ReviewAnswer = Form({
  changed: Type.Integer(),
  refused: Type.Array(Form({ reference_id: Type.String(), reason: Type.String() })),
});
export type ReviewAnswer = Static<typeof ReviewAnswer>;

export const DecisionAnswer = Form({
  ...ReviewAnswer.properties,
  /** By which the decision can be undone; null if nothing was changed. */
  version: Nullable(Type.Integer()),
});
export type DecisionAnswer = Static<typeof DecisionAnswer>;

/** To whom the clients are assigned that are shown. */
export const ASSIGNED = ['me', 'nobody'] as const;
export type Assigned = (typeof ASSIGNED)[number];

/** The clients that wait for a review, oldest first. */
export const ReviewQuery = Form({
  /** Anybody or nobody unless it is given. */
  assigned: Type.Optional(Type.Enum([...ASSIGNED])),
  /** As the page before has it. */
  after: Type.Optional(Type.String({ maxLength: 40 })),
  page_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});

/** The list of the review in which the neighbours of a client are looked for. */
export const ReviewNeighboursQuery = Form({ assigned: ReviewQuery.properties.assigned });

export const WaitingRecord = Form({
  client: ClientRecord,
  /** When the client came to its present status. */
  since: Time,
  assignee: Nullable(AssigneeRecord),
});
export type WaitingRecord = Static<typeof WaitingRecord>;

export const ReviewPage = Form({
  results: Type.Array(WaitingRecord),
  /** Where the next page begins, if there are more. */
  next: Nullable(Type.String()),
  /** Whether more clients are assigned to the member than are looked at. */
  leaves_out: Type.Boolean(),
});
export type ReviewPage = Static<typeof ReviewPage>;

/** The clients as the member saw them. Those that have changed in the meantime are refused. */
export const DecisionForm = Form({
  clients: Type.Array(Form({ reference_id: ReferenceId, seen: ChangeClientForm.properties.seen }), {
    maxItems: BULK_MAX,
  }),
  request_status: Type.Enum([...REQUEST_STATUSES]),
  reason: ChangeClientForm.properties.reason,
});
export type DecisionForm = Static<typeof DecisionForm>;

const MemberId = Nullable(Type.Integer({ minimum: 1, maximum: 999_999_999 }));

/** The clients, with the member to whom each was assigned when it was shown, and the new one. Null stands for nobody. */
export const AssignmentForm = Form({
  clients: Type.Array(Form({ reference_id: ReferenceId, seen_member_id: MemberId }), {
    maxItems: BULK_MAX,
  }),
  member_id: MemberId,
});
export type AssignmentForm = Static<typeof AssignmentForm>;

/** Null if there was nothing to measure. */
const Duration = Nullable(Type.Integer());

const PeriodRecord = Form({
  completed: Type.Integer(),
  declined: Type.Integer(),
  /** Medians in milliseconds: until a client was completed, and in each status until it left it. */
  completion_ms: Duration,
  in_status_ms: Form({
    requested: Duration,
    accepted: Duration,
    pending: Duration,
    completed: Duration,
    declined: Duration,
  }),
});
export type PeriodRecord = Static<typeof PeriodRecord>;

export const ReviewTimesRecord = Form({
  current: PeriodRecord,
  previous: PeriodRecord,
  /** Whether medians are those of the last `TIMES_READ_MAX` changes only. */
  is_sampled: Type.Boolean(),
});
export type ReviewTimesRecord = Static<typeof ReviewTimesRecord>;
