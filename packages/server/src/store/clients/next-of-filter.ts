import type { BulkChange } from '../../domain/clients/bulk-change.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { Position } from '../../domain/clients/cursor.ts';
import { ACTIVE, combinationsFor } from './client-index/combination.ts';
import { rangeOf } from './client-index/list-union.ts';
import { PageStatements } from './client-index/page-statements.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { findGroupIds } from './filtered-groups.ts';
import { positionOf } from './list-row.ts';

/**
 * The next clients of a filtered list after a position, oldest first, of those that existed when the bulk change was stored. A
 * client keeps its position when it leaves the list because of the change, so none is skipped and none comes twice.
 */
export async function nextOfFilter(
  { db, engine, workspaceId }: ClientUnitOfWork,
  filter: ClientFilter,
  { position, lastClientId }: Pick<BulkChange, 'position' | 'lastClientId'>,
  limit: number,
): Promise<{ referenceIds: string[]; position: Position; isLast: boolean }> {
  const lists = combinationsFor(filter, await findGroupIds(db, engine, workspaceId, filter));
  const selection = { lists, range: rangeOf(filter), activeOnly: false, withUpdatedAt: false };
  const page = { direction: 'newer', from: position, skip: 0, limit } as const;
  const rows = (await new PageStatements(engine).read(workspaceId, selection, page, db)).reverse();
  // There may be millions of inactive clients between two active ones, so these are left out here.
  const isActiveOnly = filter.clientStatus === 'active';
  const wanted = rows.filter(([, id, , , , , , , status]) => {
    return id <= lastClientId && (!isActiveOnly || status === ACTIVE);
  });
  const last = rows.at(-1);
  return {
    referenceIds: wanted.map(([, , , referenceId]) => referenceId),
    position: last ? positionOf(last) : position,
    isLast: rows.length < limit,
  };
}
