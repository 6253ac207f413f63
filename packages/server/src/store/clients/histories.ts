import type { HistoryLine } from '../../domain/clients/client-event.ts';
import type { Engine } from '../engines/engine.ts';
import { toAssignmentEvent } from './assignments.ts';
import { toEvent } from './client-events.ts';

/** The lines of the histories of several clients, also those about their assignees. With times, only lines with one of these. */
export async function readHistories(
  engine: Engine,
  workspaceId: number,
  referenceIds: readonly string[],
  times?: readonly number[],
): Promise<HistoryLine[]> {
  const { reads } = engine;
  const clients = await reads
    .selectFrom('clients')
    .where('workspace_id', '=', workspaceId)
    .where('reference_id', 'in', engine.listOf(referenceIds))
    .select(['id', 'reference_id'])
    .execute();
  if (clients.length === 0) return [];
  const ids = clients.map(({ id }) => id);
  let events = reads
    .selectFrom('client_events')
    .where('workspace_id', '=', workspaceId)
    .where('client_id', 'in', engine.listOf(ids));
  let assignments = reads
    .selectFrom('assignment_events')
    .where('workspace_id', '=', workspaceId)
    .where('client_id', 'in', engine.listOf(ids));
  if (times) {
    events = events.where('at', 'in', engine.listOf(times));
    assignments = assignments.where('at', 'in', engine.listOf(times));
  }
  const references = new Map(clients.map((client) => [client.id, client.reference_id]));
  const lines = [
    ...(await events.selectAll().execute()).map((row) => ({ clientId: row.client_id, ...toEvent(row) })),
    ...(await assignments.selectAll().execute()).map((row) => ({ clientId: row.client_id, ...toAssignmentEvent(row) })),
  ];
  return lines.map(({ clientId, version, ...line }) => ({ ...line, referenceId: references.get(clientId) ?? '' }));
}
