import { type Static, Type } from 'typebox';
import { ACTIONS } from '../../../domain/action.ts';
import { ENVIRONMENTS } from '../../../domain/environment.ts';
import { ACTION_KINDS } from '../../../domain/members/activity.ts';
import { Form, Nullable, Time } from '../fields.ts';

export const ActivityQuery = Form({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  kind: Type.Optional(Type.Enum([...ACTION_KINDS])),
  member: Type.Optional(Type.String()),
});

export const ActivityRecord = Form({
  at: Time,
  member: Type.String(),
  action: Type.Enum([...ACTIONS]),
  subject: Type.String(),
  environment: Nullable(Type.Enum([...ENVIRONMENTS])),
  address: Type.String(),
  clients: Nullable(Type.Integer()),
});
export type ActivityRecord = Static<typeof ActivityRecord>;

export const ActivityPage = Form({
  page_number: Type.Integer(),
  page_limit: Type.Integer(),
  total_count: Type.Integer(),
  total_pages: Type.Integer(),
  results: Type.Array(ActivityRecord),
});
export type ActivityPage = Static<typeof ActivityPage>;
