import { type Static, Type } from 'typebox';
import { Form, Time } from '../fields.ts';

const PerHour = Type.Array(Type.Integer());

/** The calls of all keys by the hour, the current one last, because only the browser knows the member's time zone. */
export const RecentCallsRecord = Form({
  calls_per_hour: PerHour,
  /** Those of the calls that were answered with an error, except those beyond a limit. */
  failed_per_hour: PerHour,
  /** Those of the calls that were refused because there were too many. */
  limited_per_hour: PerHour,
  /** When the current hour began. */
  last_hour_at: Time,
});
export type RecentCallsRecord = Static<typeof RecentCallsRecord>;
