import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { Failure } from '../../domain/failure.ts';
import type { Tables } from '../tables.ts';
import { CurrentConnection, explaining, NodeSqliteDialect } from './sqlite-driver.ts';
import { numberOf, OpenedFile } from './sqlite-file.ts';
import { migrateFile, openReader, openWriter } from './sqlite-open.ts';

/** More than `data_version`, a number of 32 bits, can count to. */
const VERSIONS_PER_FILE = 2 ** 32;

/** Others may be at it, too, and then for an instant only. */
const LOCK_TIMEOUT_MS = 2000;

/**
 * One connection that writes and one that reads beside it. When another file takes the place of theirs, a restored one say,
 * they are exchanged for connections to that: what is written to a file that has lost its name is lost.
 */
export class SqliteConnections {
  readonly writer: CurrentConnection;
  readonly reader: CurrentConnection;
  readonly writes: Kysely<Tables>;
  readonly reads: Kysely<Tables>;
  readonly #file: string;
  #opened: OpenedFile;
  #filesBefore = 0;
  #following: Promise<void> | undefined;

  constructor(file: string) {
    this.#file = file;
    const number = numberOf(file);
    this.writer = new CurrentConnection(openWriter(file));
    this.reader = new CurrentConnection(openReader(file));
    this.writes = new Kysely({ dialect: new NodeSqliteDialect(this.writer, 'begin immediate') });
    this.reads = new Kysely({ dialect: new NodeSqliteDialect(this.reader, 'begin') });
    this.#opened = this.#lookAtFile(number);
  }

  get isInPlace(): boolean {
    return this.#opened.state() === 'in place';
  }

  /** Moves when any other connection, ours or another process's, has committed, and when another file is followed. */
  version(): number {
    const query = this.reader.current.arrays('pragma data_version');
    const [version] = explaining(() => query.get() as unknown as [number]);
    return this.#filesBefore * VERSIONS_PER_FILE + version;
  }

  /** Resolves once the connections lead to the file that has the name now; fails while that is not to be had. */
  async follow(): Promise<void> {
    const state = this.#opened.state();
    if (state === 'in place') return;
    if (state === 'gone') throw unusable('its database file is gone');
    this.#following ??= this.#exchange().finally(() => {
      this.#following = undefined;
    });
    return this.#following;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#following]);
    try {
      if (!this.isInPlace) await this.writes.connection().execute((db) => this.#leave(db));
    } finally {
      this.reader.close();
      this.writer.close();
    }
  }

  /** While nobody writes. Who reads at this moment finishes on the connection that they have. */
  async #exchange(): Promise<void> {
    await this.writes.connection().execute(async (db) => {
      await this.#leave(db);
      const number = numberOf(this.#file);
      requireRollcall(this.#file);
      await migrateFile(this.#file);
      explaining(() => {
        this.writer.replace(openWriter(this.#file));
        this.reader.replace(openReader(this.#file));
        this.#opened = this.#lookAtFile(number);
      });
      this.#filesBefore++;
    });
  }

  /** Makes sure that nothing of the file that was ours is taken for a part of the one that has its name. */
  async #leave(writing: Kysely<Tables>): Promise<void> {
    // What is only in the log goes to the file, which may still be wanted under another name.
    await sql`pragma wal_checkpoint(truncate)`.execute(writing);
    // One process at a time, by the lock on writes to the old file: what is removed must not be what another one has just
    // made for the new file.
    await writing.transaction().execute(async () => this.#opened.removeBeside());
  }

  #lookAtFile(number: string | undefined): OpenedFile {
    this.reader.current.database.exec('select count(*) from sqlite_schema');
    return new OpenedFile(this.#file, number);
  }
}

/** A file that is still being copied, or is something else, must be left alone: we would make a schema in it. */
function requireRollcall(file: string): void {
  const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS });
  try {
    database.prepare('select name from kysely_migration').all();
  } catch (error) {
    throw unusable('the file in the place of its database cannot be used', error);
  } finally {
    database.close();
  }
}

function unusable(why: string, cause?: unknown): Failure {
  return new Failure('unavailable', `Service temporarily unavailable: ${why}.`, { cause });
}
