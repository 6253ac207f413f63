import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { Failure } from '../../../domain/failure.ts';
import { isTooNew, leftBehind, SELECT_OLDEST_SCHEMA } from '../../compatibility.ts';
import type { Tables } from '../../tables.ts';
import { Trouble, TroubleNews } from '../trouble.ts';
import { type FileState, numberOf, OpenedFile } from './database-file.ts';
import { NodeSqliteDialect, SqliteConnection } from './driver.ts';
import { A_DATABASE } from './failures.ts';
import { openReader, openWriter } from './open.ts';

const LOST: Record<Exclude<FileState, 'in place'>, string> = {
  gone: 'its database file is gone. Put it back and restart the service',
  replaced: 'another file has taken the place of its database file. Restart the service to use that one',
  'without its log': 'the log beside its database file is gone. Restart the service',
};

/** How soon it is tried again to leave a file that somebody is still reading. */
const LEAVE_AGAIN_MS = 100;

/**
 * One connection that writes and one that reads beside it. Once the file has lost its name they are given up for good: what
 * is written to a file that nobody else can find is lost, and what is read from it is no longer true.
 */
export class SqliteConnections {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  readonly writes: Kysely<Tables>;
  readonly reads: Kysely<Tables>;
  readonly trouble = new TroubleNews();
  readonly #opened: OpenedFile;
  #givenUp: Promise<void> | undefined;

  constructor(file: string) {
    const number = numberOf(file);
    const subject = { ...A_DATABASE, file, tell: this.trouble.tell };
    this.writer = new SqliteConnection(openWriter(file), subject);
    this.reader = new SqliteConnection(openReader(file), subject);
    this.writes = new Kysely({ dialect: new NodeSqliteDialect(this.writer, 'begin immediate') });
    this.reads = new Kysely({ dialect: new NodeSqliteDialect(this.reader, 'begin') });
    // SQLite makes what it keeps beside a file when that is first read.
    this.reader.explaining(() => this.reader.database.exec('select count(*) from sqlite_schema'));
    if (number === undefined || number !== numberOf(file)) {
      this.#closeBoth();
      throw new Failure('unavailable', 'The database file was replaced while it was being opened. Try again.');
    }
    this.#opened = new OpenedFile(file, number);
  }

  /** Looks whether the file, and the log beside it, still have their names; some four microseconds. */
  requireInPlace(): void {
    this.#look();
    if (this.reader.refusal) throw this.reader.refusal;
  }

  /** Moves when any other connection, ours or another process's, has committed. */
  version(): number {
    const query = this.reader.arrays('pragma data_version');
    const [version] = this.reader.explaining(() => query.get() as unknown as [number]);
    return version;
  }

  /** Writes what is only in the log to the file and empties it, unless somebody still reads an older state. */
  async emptyLog(): Promise<void> {
    this.requireInPlace();
    await this.writes.connection().execute(async () => {
      if (!this.writer.refusal) this.writer.database.exec('pragma wal_checkpoint(truncate)');
    });
  }

  /** Gives the database up when its schema needs a newer program. Asked of the writer within a write, nothing can come between. */
  requireCompatible(connection: SqliteConnection): void {
    const ask = () => connection.arrays(SELECT_OLDEST_SCHEMA).get() as unknown as [number] | undefined;
    const row = connection.explaining(ask);
    if (!isTooNew(row?.[0])) return;
    const refusal = leftBehind(row[0]);
    this.#refuse(refusal);
    throw refusal;
  }

  async close(): Promise<void> {
    this.#look();
    await this.#givenUp;
    this.#closeBoth();
  }

  /** Also when a newer schema has left us behind: the file may be replaced all the same, by a backup of before it. */
  #look(): void {
    if (this.#givenUp) return;
    const state = this.#opened.state();
    if (state === 'in place') return;
    this.#refuse(new Trouble(LOST[state]));
    this.#givenUp = this.#giveUp(state);
  }

  /** For good: from now on everything fails with this. */
  #refuse(refusal: Trouble): void {
    this.writer.refusal = refusal;
    this.reader.refusal = refusal;
    this.trouble.tell(refusal);
  }

  /** Once nobody uses the connections, and nobody reads what is only in the log. */
  async #giveUp(state: FileState): Promise<void> {
    await this.writes.connection().execute(() =>
      this.reads.connection().execute(async () => {
        while (!this.#leave(state)) await sleep(LEAVE_AGAIN_MS, undefined, { ref: false });
        this.#closeBoth();
      }),
    );
  }

  /**
   * Makes sure that nothing of the file that was ours is taken for a part of the one that has its name; false while a reader
   * is in the way. The connections are closed right after: SQLite would later remove, by its name, the log of whoever has
   * opened the new file by then.
   */
  #leave(state: FileState): boolean {
    const { database } = this.writer;
    if (!database.isOpen) return true;
    // What is only in the log goes to the file, which may still be wanted under another name.
    const { busy } = database.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
    if (busy) return false;
    // Only a file with our name can take our log for its own. If there is none, ours may come back, and others may be using it.
    if (state !== 'replaced') return true;
    // One process at a time, by the lock on writes to the old file.
    database.exec('begin immediate');
    this.#opened.removeBeside();
    database.exec('rollback');
    return true;
  }

  #closeBoth(): void {
    for (const { database } of [this.reader, this.writer]) if (database.isOpen) database.close();
  }
}
