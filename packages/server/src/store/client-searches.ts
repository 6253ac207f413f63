import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { ClientSearch, ClientSearches } from '../domain/search-clients.ts';
import { fold } from '../domain/text.ts';
import { matches } from './client-filter.ts';
import { selectClients, toClient } from './client-rows.ts';
import type { Engine } from './engines/engine.ts';
import type { Tables } from './tables.ts';

/** Clients looked at in one statement: a few milliseconds, after which others get their turn. */
const SLICE = 20_000;

/** No index holds a part of a word, so a search looks at every client, in slices. */
export function openClientSearches(engine: Engine): ClientSearches {
  return {
    matching: async (workspaceId, search) => {
      const { last } = await engine.reads
        .selectFrom('workspaces')
        .where('id', '=', workspaceId)
        .select('last_client_id as last')
        .executeTakeFirstOrThrow();
      const found: { id: number; created_at: number }[] = [];
      for (let first = 0; first < last; first += SLICE) {
        const rows = await engine.reads
          .selectFrom('clients')
          .where(matches(workspaceId, search))
          .where('clients.id', '>', first)
          .where('clients.id', '<=', first + SLICE)
          .where(isSought(search))
          .select(['clients.id', 'clients.created_at'])
          .execute();
        for (const row of rows) found.push(row);
        await nextTurn();
      }
      found.sort((a, b) => b.created_at - a.created_at || b.id - a.id);
      return found.map(({ id }) => id);
    },

    byIds: async (workspaceId, ids) => {
      if (ids.length === 0) return [];
      const rows = await selectClients(engine.reads)
        .where('clients.workspace_id', '=', workspaceId)
        .where('clients.id', 'in', engine.listOf(ids))
        .execute();
      const byId = new Map(rows.map((row) => [row.id, toClient(row)]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

function isSought({ fragment, createdFrom, createdUntil }: ClientSearch) {
  return (client: ExpressionBuilder<Tables, 'clients'>): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [];
    if (createdFrom !== undefined) conditions.push(client('clients.created_at', '>=', createdFrom));
    if (createdUntil !== undefined) conditions.push(client('clients.created_at', '<', createdUntil));
    if (fragment !== undefined) conditions.push(client.or(holds(fragment)));
    return client.and(conditions);
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
