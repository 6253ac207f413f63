import { sql } from 'kysely';
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
 * An email occurs at most once per group, so all of its few clients are read with the index on emails, and the other filters
 * are applied here. The query starts from the row of the installation, so that there is a stamp even without a client.
 */
export function openClientsByEmail(engine: Engine): ClientPages['read'] {
  const query = sql`
    select ${stampOf(0)} as stamp, ${LIST_COLUMNS}, g.name_folded as group_name_folded
    from installation as i
    left join clients as c on c.workspace_id = ${0} and c.email_folded = ${''}
    left join groups as g on g.workspace_id = c.workspace_id and g.id = c.group_id
    where i.id = ${sql.lit(INSTALLATION_ID)}`.compile(engine.reads);
  const run = engine.prepareListRead(query);

  return async (workspaceId, filter, window) => {
    const found = (await run([workspaceId, workspaceId, filter.email ?? ''])) as ListRow[];
    const stamp = requireStamp(found[0]?.[0]);
    const rows = newestFirst(found.filter((row) => isWanted(row, filter)));
    const { start, end } = boundsOf(rows.map(positionOf), window);
    const page = rows.slice(start, end);
    const [first, last] = [page[0], page.at(-1)];
    return {
      stamp,
      totalCount: rows.length,
      clients: page.map(listRowToClient),
      first: first && positionOf(first),
      last: last && positionOf(last),
      hasNewer: start > 0,
      hasOlder: end < rows.length,
    };
  };
}

function isWanted(row: ListRow, { groupName, requestStatus, clientType }: ClientFilter): boolean {
  const [, id, , , , , type, status, , , , groupNameFolded] = row;
  // The id is null, contrary to its type, if there is no client with this email.
  return (
    id !== null &&
    (groupName === undefined || groupNameFolded === groupName) &&
    (requestStatus === undefined || status === REQUEST_STATUS.encode(requestStatus)) &&
    (clientType === undefined || type === CLIENT_TYPE.encode(clientType))
  );
}

/** The range of the page among these positions, newest first. */
function boundsOf(positions: readonly Position[], window: PageWindow): { start: number; end: number } {
  if ('offset' in window) return { start: window.offset, end: window.offset + window.limit };
  if ('olderThan' in window) {
    const start = positions.filter((position) => comparePositions(position, window.olderThan) >= 0).length;
    return { start, end: start + window.limit };
  }
  const end = positions.filter((position) => comparePositions(position, window.newerThan) > 0).length;
  return { start: Math.max(0, end - window.limit), end };
}
