import { type Kysely, sql } from 'kysely';
import { type Tables, WORDS_TABLE } from '../../tables.ts';
import type { Timeouts } from './bounded-pool.ts';

type Table = keyof Tables;

/** With fewer rows than this, every query plan is fast enough. */
const ROWS_MIN = 1000;

/** `analyze` reads a sample, which takes about a second for a table of any size. Only closing the engine waits for it. */
export const ANALYZE_TIMEOUTS: Timeouts = { connectionMs: 5000, statementMs: 10_000, idleInTransactionMs: 10_000 };

/**
 * Analyzes a table whenever this process has doubled its number of rows. The server does so by itself only minutes after a
 * large import, and until then query plans are made for the smaller table (decision 70).
 */
export class PostgresStatistics {
  readonly #connect: () => Kysely<Tables>;
  readonly #inserted = new Map<Table, number>();
  /** How many rows to insert before the table is analyzed again: as many as it had the last time. */
  readonly #thresholds = new Map<Table, number>();
  #analyzing: Promise<void> | undefined;

  /** `connect` opens a separate connection, so that `analyze` does not take one from requests. */
  constructor(connect: () => Kysely<Tables>) {
    this.#connect = connect;
  }

  noteInserted(table: Table, rows: number): void {
    this.#inserted.set(table, (this.#inserted.get(table) ?? 0) + rows);
  }

  /** Must be called after rows were committed. Returns immediately. */
  analyzeIfDue(): void {
    const due = [...this.#inserted.keys()].filter((table) => this.#isDue(table));
    if (due.length === 0 || this.#analyzing) return;
    this.#analyzing = this.#analyze(due).finally(() => {
      this.#analyzing = undefined;
    });
  }

  /** Resolves when no `analyze` is running. */
  async finished(): Promise<void> {
    await this.#analyzing;
  }

  #isDue(table: Table): boolean {
    return (this.#inserted.get(table) ?? 0) >= (this.#thresholds.get(table) ?? ROWS_MIN);
  }

  /** A failure only costs speed: the table is analyzed after the same number of further rows. */
  async #analyze(due: readonly Table[]): Promise<void> {
    const db = this.#connect();
    try {
      await this.#analyzeGrown(db, due);
    } catch {
      for (const table of due) this.#inserted.set(table, 0);
    } finally {
      await db.destroy();
    }
  }

  async #analyzeGrown(db: Kysely<Tables>, due: readonly Table[]): Promise<void> {
    const known = await knownRows(db, due);
    // Another process, or the server itself, may have analyzed the table in the meantime.
    const grown = due.filter((table) => (this.#inserted.get(table) ?? 0) >= (known.get(table) ?? 0));
    for (const table of due) this.#inserted.set(table, 0);
    if (grown.length > 0) await analyze(db, grown);
    for (const [table, rows] of await knownRows(db, due)) this.#thresholds.set(table, Math.max(ROWS_MIN, rows));
  }
}

/** Skips tables that are already being analyzed. The runs and the words grow with the clients, so they are analyzed together. */
async function analyze(db: Kysely<Tables>, tables: readonly Table[]): Promise<void> {
  const all = new Set<string>(tables.includes('clients') ? [...tables, 'client_runs', WORDS_TABLE] : tables);
  await sql`analyze (skip_locked) ${sql.join([...all].map((table) => sql.table(table)))}`.execute(db);
}

/** The row counts of the planner, which are negative for tables that were never analyzed. */
async function knownRows(db: Kysely<Tables>, tables: readonly Table[]): Promise<Map<Table, number>> {
  const { rows } = await sql<{ name: Table; rows: number }>`
    select name, reltuples as rows from unnest(${tables}::text[]) as name
    join pg_class on pg_class.oid = to_regclass(quote_ident(name))`.execute(db);
  return new Map(rows.map(({ name, rows: count }) => [name, count]));
}
