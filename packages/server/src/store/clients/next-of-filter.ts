import type { BulkChange, NextClients, Span } from '../../domain/clients/bulk-change.ts';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import { ACTIVE, combinationsFor, comparePositions, type PositionRange } from './client-index/combination.ts';
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
  { position, lastClientId, request: { undoes } }: Pick<BulkChange, 'position' | 'lastClientId' | 'request'>,
  limit: number,
): Promise<NextClients> {
  const lists = combinationsFor(filter, await findGroupIds(db, engine, workspaceId, filter));
  const range = undoes?.within ? part(rangeOf(filter), undoes.within) : rangeOf(filter);
  const selection = { lists, range, activeOnly: false, withUpdatedAt: false };
  const page = { direction: 'newer', from: position, skip: 0, limit } as const;
  const rows = (await new PageStatements(engine).read(workspaceId, selection, page, db)).reverse();
  // There may be millions of inactive clients between two active ones, so these are left out here.
  const isActiveOnly = filter.clientStatus === 'active';
  const wanted = rows.filter(([, id, , , , , , , status]) => {
    return id <= lastClientId && (!isActiveOnly || status === ACTIVE);
  });
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    referenceIds: wanted.map(([, , , referenceId]) => referenceId),
    read: rows.length,
    span: { first: first ? positionOf(first) : position, last: last ? positionOf(last) : position },
    isLast: rows.length < limit,
  };
}

function part({ from, until }: PositionRange, { first, last }: Span): PositionRange {
  const end = { ...last, id: last.id + 1 };
  return {
    from: comparePositions(from, first) > 0 ? from : first,
    until: comparePositions(until, end) < 0 ? until : end,
  };
}
