import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { ClientSearch } from '../../domain/clients/client-filter.ts';
import { fold } from '../../domain/text.ts';
import type { Tables } from '../tables.ts';
import { matches } from './client-filter.ts';

/** The part of a search that an index can answer: the filters, and the stretch of time. */
export function inRange(workspaceId: number, search: ClientSearch) {
  const { createdFrom, createdUntil } = search;
  return (client: ExpressionBuilder<Tables, 'clients'>): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [matches(workspaceId, search)(client)];
    if (createdFrom !== undefined) conditions.push(client('clients.created_at', '>=', createdFrom));
    if (createdUntil !== undefined) conditions.push(client('clients.created_at', '<', createdUntil));
    return client.and(conditions);
  };
}

/** All of it: no index holds a part of a word, so every client in the range has to be looked at. */
export function isSought(workspaceId: number, search: ClientSearch) {
  return (client: ExpressionBuilder<Tables, 'clients'>): Expression<SqlBool> => {
    const { fragment } = search;
    const range = inRange(workspaceId, search)(client);
    return fragment === undefined ? range : client.and([range, client.or(holds(fragment))]);
  };
}

/**
 * Emails are stored folded; names are not, and an engine's own `lower` may know ASCII only. So a name is also compared as
 * it was typed and with a capital, which is how names are written.
 */
function holds(fragment: string): Expression<SqlBool>[] {
  const folded = fold(fragment);
  const typed = fragment.trim().normalize('NFC');
  const capital = folded.charAt(0).toUpperCase() + folded.slice(1);
  return [
    sql<SqlBool>`clients.email_folded like ${pattern(folded)} escape '\\'`,
    ...[...new Set([folded, typed, capital])].map(
      (text) =>
        sql<SqlBool>`(lower(clients.name) like ${pattern(text)} escape '\\' or clients.name like ${pattern(text)} escape '\\')`,
    ),
  ];
}

function pattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
