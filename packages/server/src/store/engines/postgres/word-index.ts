import { type RawBuilder, sql, type Transaction } from 'kysely';
import { isFailure } from '../../../domain/failure.ts';
import { type Tables, WORDS_TABLE } from '../../tables.ts';
import type { ReadOnlyDatabase, WordIndex } from '../engine.ts';
import { copyRows } from './copy-rows.ts';
import { jsonOf } from './sql-fragments.ts';
import { tookTooLong } from './unavailable-errors.ts';

const TABLE = sql.table(WORDS_TABLE);

/** The rows of one statement stay well below the statement timeout. */
const ROWS_AT_ONCE = 1000;

/**
 * One row per client, whose words are lexemes of a `tsvector` with an index. Every lexeme begins with the number of the
 * workspace, so that the index alone separates the workspaces: the planner might otherwise look up all clients of one and
 * compare the words of each.
 */
export const wordIndex: WordIndex = {
  save: async (db, workspaceId, changes) => {
    const [added, changed, removed]: [WordRow[], WordRow[], number[]] = [[], [], []];
    for (const { clientId, before, after } of changes) {
      if (after) (before ? changed : added).push(toRow(workspaceId, clientId, after));
      else removed.push(clientId);
    }
    await copyRows(db, WORDS_TABLE, added);
    await update(db, workspaceId, changed);
    await remove(db, workspaceId, removed);
  },

  find: async (db, workspaceId, words, limit) => {
    const query = words.map((word) => `${lexeme(workspaceId, word)}:*`).join(' & ');
    try {
      const { rows } = await findWords(query, limit).execute(db);
      return JSON.parse(rows[0]?.ids ?? '[]');
    } catch (error) {
      if (isFailure(error, 'unavailable') && tookTooLong(error.cause)) return undefined;
      throw error;
    }
  },

  readAll: async (db, workspaceId, visit) => {
    const prefix = `${workspaceId}_`.length;
    for (let after = 0; ; ) {
      const rows = await readAfter(db, workspaceId, after);
      for (const { client_id, lexemes } of rows) for (const each of lexemes) visit(client_id, each.slice(prefix));
      const last = rows.at(-1);
      if (!last) return;
      after = last.client_id;
    }
  },

  clear: async (db) => {
    await sql`delete from ${TABLE}`.execute(db);
  },
};

/**
 * The ids are one text, because 40,000 rows take half as long to pass on as to find. The limit is outside, where it does not
 * affect the plan. The server would otherwise read the table from its beginning, in the hope of soon finding that many, and
 * pass over the clients of all other workspaces.
 */
export function findWords(query: string, limit: number): RawBuilder<{ ids: string | null }> {
  return sql`
    with found as materialized (select client_id from ${TABLE} where words @@ ${query}::tsquery)
    select ${jsonOf(sql.ref('client_id'))} as ids from (select client_id from found limit ${limit}) as limited`;
}

interface WordRow {
  workspace_id: number;
  client_id: number;
  words: string;
}

function toRow(workspaceId: number, clientId: number, words: readonly string[]): WordRow {
  return {
    workspace_id: workspaceId,
    client_id: clientId,
    words: words.map((word) => lexeme(workspaceId, word)).join(' '),
  };
}

/** Words have only letters and digits, so nothing needs to be escaped. */
function lexeme(workspaceId: number, word: string): string {
  return `'${workspaceId}_${word}'`;
}

async function update(db: Transaction<Tables>, workspaceId: number, rows: readonly WordRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE);
    const ids = some.map((row) => row.client_id);
    const words = some.map((row) => row.words);
    await sql`
      update ${TABLE} set words = changed.words::tsvector
      from unnest(${ids}::bigint[], ${words}::text[]) as changed (client_id, words)
      where workspace_id = ${workspaceId} and ${TABLE}.client_id = changed.client_id`.execute(db);
  }
}

async function remove(db: Transaction<Tables>, workspaceId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from ${TABLE} where workspace_id = ${workspaceId} and client_id = any(${ids}::bigint[])`.execute(db);
}

async function readAfter(db: ReadOnlyDatabase, workspaceId: number, after: number) {
  const { rows } = await sql<{ client_id: number; lexemes: string[] }>`
    select client_id, tsvector_to_array(words) as lexemes from ${TABLE}
    where workspace_id = ${workspaceId} and client_id > ${after}
    order by client_id limit ${ROWS_AT_ONCE}`.execute(db);
  return rows;
}
