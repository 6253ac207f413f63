import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { ClientSearch } from '../../domain/clients/client-filter.ts';
import { fold } from '../../domain/text.ts';
import type { Tables } from '../tables.ts';
import { matchesFilter } from './client-filter.ts';

/** The whole search. No index can find a text fragment, so every client that matches the filters has to be read. */
export function matchesSearch(workspaceId: number, search: ClientSearch) {
  return (client: ExpressionBuilder<Tables, 'clients'>): Expression<SqlBool> => {
    const { fragment } = search;
    const filtered = matchesFilter(workspaceId, search)(client);
    return fragment === undefined ? filtered : client.and([filtered, client.or(containsFragment(fragment))]);
  };
}

/**
 * Emails are stored folded; names are not, and the `lower` of an engine may support only ASCII. So a name is also compared
 * with the fragment as it was typed and with a capital letter, because names are usually written with one.
 */
function containsFragment(fragment: string): Expression<SqlBool>[] {
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
