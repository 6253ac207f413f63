import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { fold } from '../domain/text.ts';
import type { Tables } from './tables.ts';
import { raiseVersion } from './workspaces.ts';

/** The ids of the named groups by folded name; those that do not exist yet are made. */
export async function findOrCreateGroups(
  db: Transaction<Tables>,
  workspaceId: number,
  names: Iterable<string>,
  createdAt: number,
): Promise<Map<string, number>> {
  const wanted = new Map(Array.from(names, (name) => [fold(name), name.trim()]));
  const existing = await db
    .selectFrom('groups')
    .where('workspace_id', '=', workspaceId)
    .where('name_folded', 'in', [...wanted.keys()])
    .select(['id', 'name_folded'])
    .execute();
  const ids = new Map(existing.map((group) => [group.name_folded, group.id]));

  const missing = [...wanted].filter(([nameFolded]) => !ids.has(nameFolded));
  if (missing.length === 0) return ids;
  const { firstGroupId } = await raiseVersion(db, workspaceId, { groups: missing.length });
  const rows = missing.map(([nameFolded, name], index) => ({
    workspace_id: workspaceId,
    id: firstGroupId + index,
    token: randomUUID(),
    name,
    name_folded: nameFolded,
    created_at: createdAt,
  }));
  await db.insertInto('groups').values(rows).execute();
  for (const row of rows) ids.set(row.name_folded, row.id);
  return ids;
}
