import type { ClientEvent, EventFields } from './client-event.ts';
import { formatTime } from './time.ts';

/** The fields of a line of history as they are shown: text, times included. */
export type EventFieldsRecord = { [Field in keyof EventFields]: string };

/** A line of a client's history as it is shown outside, in the dashboard and on the command line. */
export interface ClientEventRecord extends Omit<ClientEvent, 'at' | 'from' | 'to'> {
  at: string;
  from: EventFieldsRecord | null;
  to: EventFieldsRecord | null;
}

export function toEventRecord({ at, actor, kind, from, to }: ClientEvent): ClientEventRecord {
  return { at: formatTime(at), actor, kind, from: toText(from), to: toText(to) };
}

function toText(fields: EventFields | null): EventFieldsRecord | null {
  if (!fields) return null;
  const { created_at: createdAt, ...texts } = fields;
  return createdAt === undefined ? texts : { ...texts, created_at: formatTime(createdAt) };
}
