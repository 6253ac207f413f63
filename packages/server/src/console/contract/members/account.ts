import { type Static, Type } from 'typebox';
import { Form } from '../fields.ts';

/** The settings of the account, which owners may change. */
export const AccountForm = Form({ requires_decline_reason: Type.Boolean() });
export type AccountForm = Static<typeof AccountForm>;
