import { type RawBuilder, sql } from 'kysely';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { Position } from '../../domain/clients/cursor.ts';
import type { ClientPages, PageWindow } from '../../domain/clients/list-clients.ts';
import type { Engine } from '../engines/engine.ts';
import { INSTALLATION_ID } from '../installation.ts';
import { requireStamp, stampOf } from '../stamp.ts';
import { comparePositions } from './client-index/combination.ts';
import { CLIENT_TYPE, REQUEST_STATUS } from './enum-codes.ts';
import { LIST_COLUMNS, type ListRow, listRowToClient, newestFirst, positionOf } from './list-row.ts';

/**
 * Lists by email or by references have few clients: an email occurs at most once per group. So all of them are read with an
 * index, and the other filters are applied here.
 */
export function openFewClients(engine: Engine): ClientPages['read'] {
  const readByEmail = prepare(engine, sql`c.email_folded = ${''}`);
  const readByReferences = prepare(engine, engine.isOneOf(sql`c.reference_id`, ''));

  return async (workspaceId, filter, window) => {
    const found = filter.referenceIds
      ? await readByReferences(workspaceId, JSON.stringify(filter.referenceIds))
      : await readByEmail(workspaceId, filter.email ?? '');
    const stamp = requireStamp(found[0]?.[0]);
    const rows = newestFirst(found.filter((row) => isWanted(row, filter)));
    const isOldestFirst = window.order === 'oldest';
    const { start, end } = boundsOf(rows.map(positionOf), window);
    const page = rows.slice(start, end);
    if (isOldestFirst) page.reverse();
    const [first, last] = [page[0], page.at(-1)];
    const [hasNewer, hasOlder] = [start > 0, end < rows.length];
    return {
      stamp,
      totalCount: rows.length,
      clients: page.map(listRowToClient),
      first: first && positionOf(first),
      last: last && positionOf(last),
      hasPrevious: isOldestFirst ? hasOlder : hasNewer,
      hasNext: isOldestFirst ? hasNewer : hasOlder,
    };
  };
}

/**
 * The query starts from the row of the installation, so that there is a stamp even without a client. The condition has one
 * parameter.
 */
function prepare(engine: Engine, condition: RawBuilder<unknown>) {
  const query = sql`
    select ${stampOf(0)} as stamp, ${LIST_COLUMNS}, g.name_folded as group_name_folded, c.email_folded as email_folded
    from installation as i
    left join clients as c on c.workspace_id = ${0} and ${condition}
    left join groups as g on g.workspace_id = c.workspace_id and g.id = c.group_id
    where i.id = ${sql.lit(INSTALLATION_ID)}`.compile(engine.reads);
  const run = engine.prepareListRead(query);
  return async (workspaceId: number, parameter: string) =>
    (await run([workspaceId, workspaceId, parameter])) as ListRow[];
}

function isWanted(row: ListRow, filter: ClientFilter): boolean {
  const [, id, createdAt, , , , type, status, , , groupToken, groupNameFolded, emailFolded] = row;
  const { email, groupName, groupTokens, requestStatuses, clientType, createdFrom, createdUntil } = filter;
  // The id is null, contrary to its type, if nobody was found.
  return (
    id !== null &&
    (email === undefined || emailFolded === email) &&
    (groupName === undefined || groupNameFolded === groupName) &&
    (groupTokens?.includes(groupToken) ?? true) &&
    (requestStatuses?.includes(REQUEST_STATUS.decode(status)) ?? true) &&
    (clientType === undefined || type === CLIENT_TYPE.encode(clientType)) &&
    (createdFrom === undefined || createdAt >= createdFrom) &&
    (createdUntil === undefined || createdAt < createdUntil)
  );
}

/** The range of the page among these positions, newest first. */
function boundsOf(positions: readonly Position[], window: PageWindow): { start: number; end: number } {
  if ('offset' in window) {
    if (window.order !== 'oldest') return { start: window.offset, end: window.offset + window.limit };
    const end = Math.max(0, positions.length - window.offset);
    return { start: Math.max(0, end - window.limit), end };
  }
  if ('olderThan' in window) {
    const start = positions.filter((position) => comparePositions(position, window.olderThan) >= 0).length;
    return { start, end: start + window.limit };
  }
  const end = positions.filter((position) => comparePositions(position, window.newerThan) > 0).length;
  return { start: Math.max(0, end - window.limit), end };
}
