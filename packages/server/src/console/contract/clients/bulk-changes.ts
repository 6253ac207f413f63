import { type Static, Type } from 'typebox';
import { IMPORT_STATES } from '../../../domain/clients/import-state.ts';
import { Form, Nullable, Time } from '../fields.ts';
import { ClientStatus, GroupName, Reason, ReferenceId, RequestStatus, SELECTED_MAX } from './clients.ts';
import { StatusCounts } from './groups.ts';

/** So many clients are changed in one transaction. More are changed by the service in the background. */
export const BULK_MAX = 100;

/** What clients are given: one of these. */
const PATCH = {
  request_status: Type.Optional(RequestStatus),
  group_name: Type.Optional(GroupName),
  client_status: Type.Optional(ClientStatus),
};

export const BulkForm = Form({
  reference_ids: Type.Array(ReferenceId, { maxItems: BULK_MAX }),
  ...PATCH,
  reason: Type.Optional(Reason),
});
export type BulkPatch = Pick<Static<typeof BulkForm>, keyof typeof PATCH>;

export const BulkAnswer = Form({
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  refused: Type.Array(Form({ reference_id: Type.String(), reason: Type.String() })),
  /** Sent back to undo the change; null if nothing of it can be undone. */
  undo: Nullable(Form({ reference_ids: Type.Array(Type.String()), version: Type.Integer() })),
});
export type BulkAnswer = Static<typeof BulkAnswer>;

export const UndoForm = Form({
  reference_ids: Type.Array(ReferenceId, { maxItems: BULK_MAX }),
  version: Type.Integer({ minimum: 1 }),
});
export type UndoForm = Static<typeof UndoForm>;

/** Either some clients, or all that the filters match. */
const SELECTION = {
  reference_ids: Type.Optional(Type.Array(ReferenceId, { minItems: 1, maxItems: SELECTED_MAX })),
  /** As in the address of the list, without the page. Empty for all clients. */
  filters: Type.Optional(Type.String({ maxLength: 16_384, format: 'query-string' })),
};
export type SelectionForm = Pick<Static<typeof StartBulkChangeForm>, keyof typeof SELECTION>;

export const SelectionCountsForm = Form({ ...SELECTION, group_name: Type.Optional(GroupName) });

/** How many of the selected clients there are, by what a change depends on. */
export const SelectionCounts = Form({
  total_count: Type.Integer(),
  by_status: StatusCounts,
  by_client_status: Form({ active: Type.Integer(), inactive: Type.Integer() }),
  /** How many are in the group that was asked for. */
  in_group: Nullable(Type.Integer()),
});
export type SelectionCounts = Static<typeof SelectionCounts>;

export const StartBulkChangeForm = Form({ ...SELECTION, ...PATCH, reason: Type.Optional(Reason) });

/** A change of many clients that the service makes in the background. */
export const BulkChangeRecord = Form({
  change_id: Type.String(),
  state: Type.Enum([...IMPORT_STATES]),
  request_status: Nullable(RequestStatus),
  group_name: Nullable(Type.String()),
  client_status: Nullable(ClientStatus),
  /** The change that this one undoes. */
  undoes: Nullable(Type.String()),
  started_by: Type.String(),
  created_at: Time,
  ended_at: Nullable(Time),
  /** How many clients there were when it began; for one that undoes another, how many that one has changed. */
  total_count: Type.Integer(),
  changed: Type.Integer(),
  /** How many had been as wanted before. */
  unchanged: Type.Integer(),
  refused: Type.Integer(),
  /** How many of those that were changed may become again what they were. */
  undoable: Type.Integer(),
  /** Why it failed. */
  reason: Nullable(Type.String()),
});
export type BulkChangeRecord = Static<typeof BulkChangeRecord>;

export const BulkChangeDetail = Form({
  change: BulkChangeRecord,
  /** The reasons why clients were not changed, with some of these clients. */
  refusals: Type.Array(
    Form({
      reason: Type.String(),
      count: Type.Integer(),
      clients: Type.Array(Form({ reference_id: Type.String(), client_name: Type.String() })),
    }),
  ),
});
export type BulkChangeDetail = Static<typeof BulkChangeDetail>;

export const LatestBulkChanges = Form({ results: Type.Array(BulkChangeRecord) });
export type LatestBulkChanges = Static<typeof LatestBulkChanges>;
