import type { Insertable, Selectable } from 'kysely';
import type { ClientEvent, EventFields, EventKind, FormerFields } from '../../domain/clients/client-event.ts';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import { EVENT_KIND } from './enum-codes.ts';

/** The fields that all history lines of one change share. */
export interface EventContext {
  workspaceId: number;
  version: number;
  at: number;
  actor: string;
}

/** What changed, and why, if somebody said so. */
export interface EventChanges {
  from?: FormerFields;
  to?: EventFields;
  reason?: string | undefined;
  /** The version of the line that is undone. */
  undoes?: number | undefined;
}

export function newEvent(
  context: EventContext,
  clientId: number,
  kind: EventKind,
  changed: EventChanges = {},
): Insertable<Tables['client_events']> {
  return {
    workspace_id: context.workspaceId,
    client_id: clientId,
    version: context.version,
    at: context.at,
    actor: context.actor,
    kind: EVENT_KIND.encode(kind),
    changed_from: changed.from ? JSON.stringify(changed.from) : null,
    changed_to: changed.to ? JSON.stringify(changed.to) : null,
    reason: changed.reason ?? null,
    undoes: changed.undoes ?? null,
  };
}

/** A line of a history, with the version of the workspace, by which lines are in order. */
export type VersionedEvent = ClientEvent & { version: number };

export async function readEvents(
  db: ReadOnlyDatabase,
  workspaceId: number,
  clientId: number,
): Promise<VersionedEvent[]> {
  const rows = await db
    .selectFrom('client_events')
    .where('workspace_id', '=', workspaceId)
    .where('client_id', '=', clientId)
    .selectAll()
    .orderBy('version')
    .execute();
  return rows.map(toEvent);
}

export function toEvent(row: Selectable<Tables['client_events']>): VersionedEvent {
  return {
    version: row.version,
    at: row.at,
    actor: row.actor,
    kind: EVENT_KIND.decode(row.kind),
    from: shownFields(row.changed_from),
    to: shownFields(row.changed_to),
    reason: row.reason,
  };
}

function shownFields(json: string | null): EventFields | null {
  if (json === null) return null;
  const { group_token: _, ...shown }: FormerFields = JSON.parse(json);
  return shown;
}
