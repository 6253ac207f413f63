import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';

/** The ids of the groups that match the filter, or `undefined` if it is not about groups. */
export async function findGroupIds(
  db: ReadOnlyDatabase,
  { listOf }: Engine,
  workspaceId: number,
  { groupName, groupTokens }: ClientFilter,
): Promise<number[] | undefined> {
  if (groupName === undefined && !groupTokens) return undefined;
  let groups = db.selectFrom('groups').where('workspace_id', '=', workspaceId).select('id').orderBy('id');
  if (groupName !== undefined) groups = groups.where('name_folded', '=', groupName);
  if (groupTokens) groups = groups.where('token', 'in', listOf(groupTokens));
  return (await groups.execute()).map(({ id }) => id);
}
