import { type RawBuilder, sql } from 'kysely';
import type { ClientFilter } from '../../domain/clients/client-filter.ts';
import type { Position } from '../../domain/clients/cursor.ts';
import type { PageSlice, PageWindow } from '../../domain/clients/list-clients.ts';
import type { Engine } from '../engines/engine.ts';
import { INSTALLATION_ID } from '../installation.ts';
import { requireStamp, stampOf } from '../stamp.ts';
import { comparePositions } from './client-index/combination.ts';
import { CLIENT_STATUS, CLIENT_TYPE, REQUEST_STATUS } from './enum-codes.ts';
import { LIST_COLUMNS, type ListRow, listRowToClient, newestFirst, positionOf, UPDATED_AT } from './list-row.ts';

/** All clients of a list, newest first, and the stamp of their snapshot. */
export interface FewClients {
  stamp: string;
  rows: ListRow[];
}

/** Whether the filter is by email or by ids. */
export function isOfFewClients({ email, referenceIds, externalIds }: ClientFilter): boolean {
  return email !== undefined || referenceIds !== undefined || externalIds !== undefined;
}

/**
 * Lists by email or by ids have few clients: an email occurs at most once per group. So all of them are read with an index,
 * and the other filters are applied here.
 */
export function openFewClients(engine: Engine) {
  const readByReferences = prepare(engine, engine.isOneOf(sql`c.reference_id`, ''));
  const readByExternalIds = prepare(engine, engine.isOneOf(sql`c.external_id`, ''));
  const readByEmail = prepare(engine, sql`c.email_folded = ${''}`);

  return async (workspaceId: number, filter: ClientFilter, withUpdatedAt = false): Promise<FewClients> => {
    const { referenceIds, externalIds, email = '' } = filter;
    const found = referenceIds
      ? await readByReferences(workspaceId, JSON.stringify(referenceIds), withUpdatedAt)
      : externalIds
        ? await readByExternalIds(workspaceId, JSON.stringify(externalIds), withUpdatedAt)
        : await readByEmail(workspaceId, email, withUpdatedAt);
    const wanted = found.filter((row) => isWanted(row, filter)).map(({ row }) => row);
    return { stamp: requireStamp(found[0]?.row[0]), rows: newestFirst(wanted) };
  };
}

export function pageOfFew({ stamp, rows }: FewClients, window: PageWindow): PageSlice {
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
}

interface FoundRow {
  row: ListRow;
  groupNameFolded: string;
  emailFolded: string;
}

/**
 * The query starts from the row of the installation, so that there is a stamp even without a client. The condition has one
 * parameter.
 */
function prepare(engine: Engine, condition: RawBuilder<unknown>) {
  const compile = (more: RawBuilder<unknown>) =>
    sql`
    select g.name_folded as group_name_folded, c.email_folded as email_folded,
      ${stampOf(0)} as stamp, ${LIST_COLUMNS}${more}
    from installation as i
    left join clients as c on c.workspace_id = ${0} and ${condition}
    left join groups as g on g.workspace_id = c.workspace_id and g.id = c.group_id
    where i.id = ${sql.lit(INSTALLATION_ID)}`.compile(engine.reads);
  const read = engine.prepareListRead(compile(sql``));
  const readWithUpdatedAt = engine.prepareListRead(compile(sql`, ${UPDATED_AT}`));
  return async (workspaceId: number, parameter: string, withUpdatedAt: boolean): Promise<FoundRow[]> => {
    const rows = await (withUpdatedAt ? readWithUpdatedAt : read)([workspaceId, workspaceId, parameter]);
    return (rows as [string, string, ...ListRow][]).map(([groupNameFolded, emailFolded, ...row]) => {
      return { groupNameFolded, emailFolded, row };
    });
  };
}

function isWanted({ row, groupNameFolded, emailFolded }: FoundRow, filter: ClientFilter): boolean {
  const [, id, createdAt, , , , type, requestStatus, status, , groupToken, externalId] = row;
  const { email, groupName, groupTokens, requestStatuses, clientType, clientStatus, externalIds } = filter;
  const { createdFrom, createdUntil } = filter;
  // The id is null, contrary to its type, if nobody was found.
  return (
    id !== null &&
    (email === undefined || emailFolded === email) &&
    (externalIds?.includes(externalId ?? '') ?? true) &&
    (groupName === undefined || groupNameFolded === groupName) &&
    (groupTokens?.includes(groupToken) ?? true) &&
    (requestStatuses?.includes(REQUEST_STATUS.decode(requestStatus)) ?? true) &&
    (clientType === undefined || type === CLIENT_TYPE.encode(clientType)) &&
    (clientStatus === undefined || status === CLIENT_STATUS.encode(clientStatus)) &&
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
