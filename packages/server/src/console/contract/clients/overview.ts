import { type Static, Type } from 'typebox';
import { Form } from '../fields.ts';
import { StatusCounts } from './groups.ts';

export const OverviewRecord = Form({
  clients: Type.Integer(),
  by_status: StatusCounts,
  by_type: Form({ individual: Type.Integer(), company: Type.Integer() }),
  groups: Type.Integer(),
  largest_groups: Type.Array(Form({ group_name: Type.String(), clients: Type.Integer() })),
  /** What whoever begins has already done here. */
  has_keys: Type.Boolean(),
  has_calls: Type.Boolean(),
});
export type OverviewRecord = Static<typeof OverviewRecord>;

export const AddedSample = Form({ added: Type.Integer() });
export type AddedSample = Static<typeof AddedSample>;

export const NEW_CLIENTS_TIMES_MAX = 60;

/** The times at which the days of the chart begin and end, because only the browser knows the member's time zone. */
export const NewClientsQuery = Form({ times: Type.Optional(Type.String()) });
export const NewClientsRecord = Form({ counts: Type.Array(Type.Integer()) });
export type NewClientsRecord = Static<typeof NewClientsRecord>;
