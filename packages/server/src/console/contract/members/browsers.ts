import { type Static, Type } from 'typebox';
import { Form, Time } from '../fields.ts';

/** A browser in which a member is signed in. */
export const BrowserRecord = Form({
  session_id: Type.String(),
  /** Whether it is the browser that asks. */
  is_current: Type.Boolean(),
  created_at: Time,
  seen_at: Time,
  address: Type.String(),
  agent: Type.String(),
});
export type BrowserRecord = Static<typeof BrowserRecord>;

export const BrowserList = Form({ sessions: Type.Array(BrowserRecord) });
export type BrowserList = Static<typeof BrowserList>;
