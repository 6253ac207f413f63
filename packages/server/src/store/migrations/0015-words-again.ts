import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type SearchedFields, wordsOfClient } from '../../domain/clients/index.ts';
import type { Dialect } from './dialect.ts';
import { raiseOldestSchema } from './raise-oldest-schema.ts';

const CLIENTS_AT_ONCE = 1000;

/**
 * Fills the index with the words of all clients, which `wordsOfClient` makes. Before this schema, it made words without the
 * vowels of some scripts. An older program would go on to do so, and must stop.
 *
 * If `wordsOfClient` changes again, another migration has to do the same.
 */
export const wordsAgain = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = dialect === 'sqlite';
    await (isSqlite ? clearOnSqlite(db) : clearOnPostgres(db));
    for await (const clients of readAll(db)) await (isSqlite ? fillOnSqlite(db, clients) : fillOnPostgres(db, clients));
    // Last, because it is faster to make the whole index at once.
    if (!isSqlite) await indexOnPostgres(db);
    await raiseOldestSchema(15, db);
  },
});

async function clearOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`insert into client_words (client_words) values ('delete-all')`.execute(db);
}

/** No program may add or change a client meanwhile. One that waits finds out afterwards that it is too old. */
async function clearOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`lock table clients in share mode`.execute(db);
  await sql`drop index if exists client_words_by_word`.execute(db);
  await sql`truncate client_words`.execute(db);
}

/**
 * New rows wait in a list that every search reads, until a change that finds it too long adds them to the index. With the
 * usual limit of 4 MB, both would take several times as long.
 */
async function indexOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create index client_words_by_word on client_words using gin (words)
    with (gin_pending_list_limit = 256)`.execute(db);
}

type Client = SearchedFields & { workspace_id: number; id: number };

async function* readAll(db: Kysely<unknown>): AsyncGenerator<Client[]> {
  for (let [workspaceId, id] = [0, 0]; ; ) {
    const { rows } = await sql<Client>`
      select workspace_id, id, name, email, reference_id, external_id from clients
      where (workspace_id, id) > (${workspaceId}, ${id})
      order by workspace_id, id limit ${CLIENTS_AT_ONCE}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    [workspaceId, id] = [last.workspace_id, last.id];
  }
}

async function fillOnSqlite(db: Kysely<unknown>, clients: readonly Client[]): Promise<void> {
  for (const client of clients) {
    const words = termsOf(client).join(' ');
    await sql`insert into client_words (rowid, words) values (${client.id}, ${words})`.execute(db);
  }
}

async function fillOnPostgres(db: Kysely<unknown>, clients: readonly Client[]): Promise<void> {
  const workspaceIds = clients.map((client) => client.workspace_id);
  const ids = clients.map(({ id }) => id);
  const words = clients.map((client) =>
    termsOf(client)
      .map((term) => `'${term}'`)
      .join(' '),
  );
  await sql`
    insert into client_words (workspace_id, client_id, words)
    select workspace_id, client_id, words::tsvector
    from unnest(${workspaceIds}::integer[], ${ids}::bigint[], ${words}::text[]) as client (workspace_id, client_id, words)
  `.execute(db);
}

/** With the number of the workspace, so that the index keeps the workspaces apart. */
function termsOf(client: Client): string[] {
  return wordsOfClient(client).map((word) => `${client.workspace_id}_${word}`);
}
