import { CompiledQuery, sql } from 'kysely';
import { WORDS_TABLE } from '../../tables.ts';
import type { WordIndex } from '../engine.ts';
import type { SqliteConnection } from './driver.ts';

const INSERT = `insert into ${WORDS_TABLE} (rowid, words) values (?, ?)`;
/** A table without contents does not know the words that it removes, so it has to be told them. */
const REMOVE = `insert into ${WORDS_TABLE} (${WORDS_TABLE}, rowid, words) values ('delete', ?, ?)`;
/**
 * That resets the version of the format in the file, and other connections would go on with the one that they know: an
 * integrity check then takes what they remove for damage. If an option is set, they read it again.
 */
const REMOVE_ALL = `
  insert into ${WORDS_TABLE} (${WORDS_TABLE}) values ('delete-all');
  insert into ${WORDS_TABLE} (${WORDS_TABLE}, rank) values ('secure-delete', 1);`;
const READ_ALL = `select doc, term from ${WORDS_TABLE}_vocab where term >= ? and term < ?`;

const WORDS_AT_ONCE = 10_000;

/**
 * A full-text index (FTS5) that contains nothing but which client has which word. Every term begins with the number of the
 * workspace, so that a client is found by its id within its workspace.
 */
export function openWordIndex(writer: SqliteConnection): WordIndex {
  return {
    /** Uses the writing connection directly, within the transaction, so that no query is built per client. */
    save: async (_db, workspaceId, changes) =>
      writer.mapErrors(() => {
        const insert = writer.statement(INSERT);
        const remove = writer.statement(REMOVE);
        for (const { clientId, before, after } of changes) {
          // The index counts its rows, so a changed client is always removed once and inserted once.
          if (before) remove.run(clientId, termsOf(workspaceId, without(before, after)));
          if (after) insert.run(clientId, termsOf(workspaceId, without(after, before)));
        }
      }),

    find: findWords,

    readAll: async (db, workspaceId, visit) => {
      const prefix = `${workspaceId}_`;
      // The character after the underscore follows all terms of the workspace.
      const query = CompiledQuery.raw(READ_ALL, [prefix, `${workspaceId}\``]);
      for await (const { rows } of db.getExecutor().stream<{ doc: number; term: string }>(query, WORDS_AT_ONCE)) {
        for (const { doc, term } of rows) visit(doc, term.slice(prefix.length));
      }
    },

    clear: async () => writer.mapErrors(() => writer.database.exec(REMOVE_ALL)),
  };
}

export const findWords: WordIndex['find'] = async (db, workspaceId, words, limit) => {
  const query = words.map((word) => `"${workspaceId}_${word}" *`).join(' AND ');
  // As one text, which takes a fraction of the time of many rows.
  const { rows } = await sql<{ ids: string }>`
    select json_group_array(id) as ids from (
      select rowid as id from ${sql.table(WORDS_TABLE)} where ${sql.ref(WORDS_TABLE)} match ${query} limit ${limit}
    )`.execute(db);
  return JSON.parse(rows[0]?.ids ?? '[]');
};

function termsOf(workspaceId: number, words: readonly string[]): string {
  return words.map((word) => `${workspaceId}_${word}`).join(' ');
}

function without(words: readonly string[], others: readonly string[] = []): readonly string[] {
  return others.length === 0 ? words : words.filter((word) => !others.includes(word));
}
