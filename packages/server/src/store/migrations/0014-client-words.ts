import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type SearchedFields, wordsOfClient } from '../../domain/clients/index.ts';
import type { Dialect } from './dialect.ts';
import { raiseOldestSchema } from './raise-oldest-schema.ts';

const CLIENTS_AT_ONCE = 1000;

/**
 * The words by which clients are found. Older programs would write clients without their words, so they must stop.
 *
 * The table contains what `wordsOfClient` returns. If that changes, another migration has to fill the table again.
 */
export const clientWords = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const isSqlite = dialect === 'sqlite';
    await (isSqlite ? createOnSqlite(db) : createOnPostgres(db));
    for await (const clients of readAll(db)) await (isSqlite ? fillOnSqlite(db, clients) : fillOnPostgres(db, clients));
    // Last, because it is faster to make the whole index at once.
    if (!isSqlite) await indexOnPostgres(db);
    await raiseOldestSchema(14, db);
  },
});

/**
 * The index keeps only which client (`rowid`) has which word. The words are separated and folded already, so the tokenizer
 * must not do more. `secure-delete` removes the words of an erased client from the file and not only from what is found.
 */
async function createOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table client_words using fts5 (
    words, content = '', columnsize = 0, detail = none, tokenize = "ascii tokenchars '_'"
  )`.execute(db);
  await sql`insert into client_words (client_words, rank) values ('secure-delete', 1)`.execute(db);
  // For checks: every word of every client as a row.
  await sql`create virtual table client_words_vocab using fts5vocab ('client_words', 'instance')`.execute(db);
}

async function createOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create table client_words (
    workspace_id integer not null,
    client_id bigint not null,
    words tsvector not null,
    constraint client_words_pk primary key (workspace_id, client_id)
  )`.execute(db);
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
