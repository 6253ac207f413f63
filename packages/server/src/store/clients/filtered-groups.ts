import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';

/** The groups that match the filter: all of them if it is not about groups. */
export function filteredGroups(
  db: ReadOnlyDatabase,
  { listOf }: Engine,
  workspaceId: number,
  { groupName, groupTokens }: ClientFilter,
) {
  let groups = db.selectFrom('groups').where('workspace_id', '=', workspaceId).orderBy('id');
  if (groupName !== undefined) groups = groups.where('name_folded', '=', groupName);
  if (groupTokens) groups = groups.where('token', 'in', listOf(groupTokens));
  return groups;
}

/** The ids of the groups that match the filter, or `undefined` if it is not about groups. */
export async function findGroupIds(
  db: ReadOnlyDatabase,
  engine: Engine,
  workspaceId: number,
  filter: ClientFilter,
): Promise<number[] | undefined> {
  if (filter.groupName === undefined && !filter.groupTokens) return undefined;
  const groups = await filteredGroups(db, engine, workspaceId, filter).select('id').execute();
  return groups.map(({ id }) => id);
}
