import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from './dialect.ts';
import { raiseOldestSchema } from './raise-oldest-schema.ts';

/**
 * The index of the words by which clients are found. Older programs would write clients without their words, so they must
 * stop. The next migration fills it.
 */
export const clientWords = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await (dialect === 'sqlite' ? createOnSqlite(db) : createOnPostgres(db));
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
