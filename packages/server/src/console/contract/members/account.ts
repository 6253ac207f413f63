import { type Static, Type } from 'typebox';
import { Form } from '../fields.ts';

/** The settings of the account, which owners may change. */
export const AccountRecord = Form({
  requires_decline_reason: Type.Boolean(),
  requires_second_factor: Type.Boolean(),
  viewers_may_export: Type.Boolean(),
});
export type AccountRecord = Static<typeof AccountRecord>;

/** The settings that change. */
export const AccountForm = Form({
  requires_decline_reason: Type.Optional(Type.Boolean()),
  requires_second_factor: Type.Optional(Type.Boolean()),
  viewers_may_export: Type.Optional(Type.Boolean()),
});
export type AccountForm = Static<typeof AccountForm>;
