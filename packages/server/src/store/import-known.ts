import type { Selectable } from 'kysely';
import type { ImportRow } from '../domain/import-clients.ts';
import { fold } from '../domain/text.ts';
import type { Engine, Reads } from './engines/engine.ts';
import type { GroupRow } from './groups.ts';
import type { Tables } from './tables.ts';

/** What the store already has of the rows of one batch. */
export interface Known {
  groups: GroupRow[];
  clients: Selectable<Tables['clients']>[];
  /** References that cannot be given again: another workspace has them, or their client was erased. */
  takenReferences: Set<string>;
  erasedReferences: Set<string>;
}

export async function loadKnown(
  engine: Engine,
  db: Reads,
  workspaceId: number,
  rows: readonly ImportRow[],
): Promise<Known> {
  const references = rows.flatMap((row) => row.referenceId ?? []);
  const byReference = await selectByReference(engine, db, references);
  const byEmail = await db
    .selectFrom('clients')
    .where('workspace_id', '=', workspaceId)
    .where('email_folded', 'in', engine.listOf(distinct(rows, (row) => fold(row.email))))
    .selectAll()
    .execute();
  const own = byReference.filter((client) => client.workspace_id === workspaceId);
  const elsewhere = byReference.filter((client) => client.workspace_id !== workspaceId);
  return {
    groups: await selectGroups(engine, db, workspaceId, rows, own),
    clients: [...own, ...byEmail],
    takenReferences: new Set(elsewhere.map((client) => client.reference_id)),
    erasedReferences: await selectErased(engine, db, workspaceId, references),
  };
}

/** Over all workspaces, since a reference is unique in the whole installation; nothing of a foreign row is shown. */
async function selectByReference(engine: Engine, db: Reads, references: readonly string[]) {
  if (references.length === 0) return [];
  return db.selectFrom('clients').where('reference_id', 'in', engine.listOf(references)).selectAll().execute();
}

async function selectErased(engine: Engine, db: Reads, workspaceId: number, references: readonly string[]) {
  if (references.length === 0) return new Set<string>();
  const erased = await db
    .selectFrom('erased_clients')
    .where('workspace_id', '=', workspaceId)
    .where('reference_id', 'in', engine.listOf(references))
    .select('reference_id')
    .execute();
  return new Set(erased.map((each) => each.reference_id));
}

/** The groups that the rows name, and those that their clients are in now: an event says from where one moved. */
async function selectGroups(
  engine: Engine,
  db: Reads,
  workspaceId: number,
  rows: readonly ImportRow[],
  clients: readonly { group_id: number }[],
) {
  const ids = [...new Set(clients.map((client) => client.group_id))];
  const names = engine.listOf(distinct(rows, (row) => fold(row.groupName)));
  const tokens = engine.listOf(distinct(rows, (row) => row.groupToken));
  return db
    .selectFrom('groups')
    .where('workspace_id', '=', workspaceId)
    .where((or) =>
      or.or([or('name_folded', 'in', names), or('token', 'in', tokens), or('id', 'in', engine.listOf(ids))]),
    )
    .selectAll()
    .execute();
}

function distinct(rows: readonly ImportRow[], pick: (row: ImportRow) => string | undefined): string[] {
  return [...new Set(rows.flatMap((row) => pick(row) ?? []))];
}
