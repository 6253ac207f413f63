import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../tables.ts';
import type { Patience } from './pool.ts';

type Table = keyof Tables;

/** Fewer rows than this are found soon enough by any plan. */
const FEWEST_ROWS = 1000;

/** A count looks at a sample, which takes a second or so however large the table is; nobody waits for it but the end. */
export const COUNTING: Patience = { connectionMs: 5000, statementMs: 10_000, idleInTransactionMs: 10_000 };

/**
 * Has the server count the rows of a table anew whenever this process alone has doubled it. The server's own count comes
 * up to minutes after a large import, and until then plans are made for the table as it was (decision 70).
 */
export class PostgresStatistics {
  readonly #connect: () => Kysely<Tables>;
  readonly #inserted = new Map<Table, number>();
  /** How many rows to insert before the next look; as many as there were at the last one. */
  readonly #patience = new Map<Table, number>();
  #counting: Promise<void> | undefined;

  /** `connect` opens a connection of its own, so that a count takes none away from requests. */
  constructor(connect: () => Kysely<Tables>) {
    this.#connect = connect;
  }

  noteInserted(table: Table, rows: number): void {
    this.#inserted.set(table, (this.#inserted.get(table) ?? 0) + rows);
  }

  /** To be called when rows have been committed. Returns at once. */
  keepUp(): void {
    const due = [...this.#inserted.keys()].filter((table) => this.#isDue(table));
    if (due.length === 0 || this.#counting) return;
    this.#counting = this.#count(due).finally(() => {
      this.#counting = undefined;
    });
  }

  /** Resolves when nothing is being counted. */
  async settled(): Promise<void> {
    await this.#counting;
  }

  #isDue(table: Table): boolean {
    return (this.#inserted.get(table) ?? 0) >= (this.#patience.get(table) ?? FEWEST_ROWS);
  }

  /** A count that fails costs nothing but speed: it is made up for when as many rows again have come. */
  async #count(due: readonly Table[]): Promise<void> {
    const db = this.#connect();
    try {
      await this.#countGrown(db, due);
    } catch {
      for (const table of due) this.#inserted.set(table, 0);
    } finally {
      await db.destroy();
    }
  }

  async #countGrown(db: Kysely<Tables>, due: readonly Table[]): Promise<void> {
    const known = await knownRows(db, due);
    // Somebody else, or the server by itself, may have counted what we did not.
    const grown = due.filter((table) => (this.#inserted.get(table) ?? 0) >= (known.get(table) ?? 0));
    for (const table of due) this.#inserted.set(table, 0);
    if (grown.length > 0) await analyze(db, grown);
    for (const [table, rows] of await knownRows(db, due)) this.#patience.set(table, Math.max(FEWEST_ROWS, rows));
  }
}

/** One that is being counted already is left out: two imports at once need one count. Runs grow with their clients. */
async function analyze(db: Kysely<Tables>, tables: readonly Table[]): Promise<void> {
  const all = new Set<Table>(tables.includes('clients') ? [...tables, 'client_runs'] : tables);
  await sql`analyze (skip_locked) ${sql.join([...all].map((table) => sql.table(table)))}`.execute(db);
}

/** As the planner has them; of a table that was never counted, fewer than none. */
async function knownRows(db: Kysely<Tables>, tables: readonly Table[]): Promise<Map<Table, number>> {
  const { rows } = await sql<{ name: Table; rows: number }>`
    select name, reltuples as rows from unnest(${tables}::text[]) as name
    join pg_class on pg_class.oid = to_regclass(quote_ident(name))`.execute(db);
  return new Map(rows.map(({ name, rows: count }) => [name, count]));
}
