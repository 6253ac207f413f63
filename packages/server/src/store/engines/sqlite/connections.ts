import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { Failure } from '../../../domain/failure.ts';
import { isTooNew, programTooOld, SELECT_OLDEST_SCHEMA } from '../../compatibility.ts';
import type { Tables } from '../../tables.ts';
import { DatabaseUnavailable, UnavailableEvents } from '../database-unavailable.ts';
import { type FileState, inodeOf, OpenedFile } from './database-file.ts';
import { NodeSqliteDialect, SqliteConnection } from './driver.ts';
import { openReader, openWriter } from './open-file.ts';
import { SqliteThread } from './sqlite-thread.ts';
import { DATABASE_CONTEXT, isBusy, mapErrors } from './unavailable-errors.ts';

const LOST: Record<Exclude<FileState, 'in place'>, string> = {
  gone: 'the database file was removed. Put it back and restart the service',
  replaced: 'the database file was replaced by another file. Restart the service to use the new file',
  'without its log': 'the write-ahead log of the database file was removed. Restart the service',
};

/** How long a rewrite may wait for other processes to finish what they write or read. */
const REWRITE_TIMEOUT_MS = 10_000;

const LOG_IN_USE = 'the log of the database cannot be emptied while another process reads it';

/** The interval between attempts to release a file that is still being read. */
const RELEASE_RETRY_MS = 100;

/**
 * One connection for writes and one for reads. If the file is removed or replaced, both are given up for good, because writes
 * to the old file would be lost and reads from it would be out of date.
 */
export class SqliteConnections {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  readonly writes: Kysely<Tables>;
  readonly reads: Kysely<Tables>;
  readonly failures = new UnavailableEvents();
  readonly #file: string;
  readonly #opened: OpenedFile;
  readonly #threads: SqliteThread[] = [];
  #givenUp: Promise<void> | undefined;

  constructor(file: string) {
    this.#file = file;
    const inode = inodeOf(file);
    const context = { ...DATABASE_CONTEXT, file, report: this.failures.emit };
    this.writer = new SqliteConnection(openWriter(file), context);
    this.reader = new SqliteConnection(openReader(file), context);
    this.writes = new Kysely({ dialect: new NodeSqliteDialect(this.writer, 'begin immediate') });
    this.reads = new Kysely({ dialect: new NodeSqliteDialect(this.reader, 'begin') });
    // SQLite creates the files beside the database file at the first read.
    this.reader.mapErrors(() => this.reader.database.exec('select count(*) from sqlite_schema'));
    if (inode === undefined || inode !== inodeOf(file)) {
      this.#closeBoth();
      throw new Failure('unavailable', 'The database file was replaced while it was being opened. Try again.');
    }
    this.#opened = new OpenedFile(file, inode);
  }

  /** Checks that the file and its log have not been removed or replaced, which takes about four microseconds. */
  requireInPlace(): void {
    this.#checkFile();
    if (this.reader.refusal) throw this.reader.refusal;
  }

  /** A thread that reads the same file, and ends before these connections are closed. */
  openThread(entry: URL): SqliteThread {
    const thread = new SqliteThread({
      entry,
      data: { file: this.#file, inode: this.#opened.inode },
      requireUsable: () => this.requireInPlace(),
      report: this.failures.emit,
    });
    this.#threads.push(thread);
    return thread;
  }

  /** Changes when another connection, of this or another process, has committed. */
  version(): number {
    const query = this.reader.arrayStatement('pragma data_version');
    const [version] = this.reader.mapErrors(() => query.get() as unknown as [number]);
    return version;
  }

  /** Writes the log back to the file and empties it, unless a snapshot is open. */
  async emptyLog(): Promise<void> {
    this.requireInPlace();
    await this.writes.connection().execute(async () => {
      if (!this.writer.refusal) this.writer.database.exec('pragma wal_checkpoint(truncate)');
    });
  }

  /** Rewrites the whole file and empties the log, so that deleted values are in neither. */
  async rewrite(): Promise<void> {
    this.requireInPlace();
    await this.writes.connection().execute(async () => {
      const { database } = this.writer;
      const deadline = performance.now() + REWRITE_TIMEOUT_MS;
      await retryWhileBusy(deadline, () => database.exec('vacuum'));
      await retryWhileBusy(deadline, () => {
        const { busy } = database.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
        if (busy) throw new DatabaseUnavailable(LOG_IN_USE);
      });
    });
  }

  /** Gives up the database if its schema requires a newer program. With the writer, within a transaction, the answer cannot change before the commit. */
  requireCompatible(connection: SqliteConnection): void {
    const read = () => connection.arrayStatement(SELECT_OLDEST_SCHEMA).get() as unknown as [number] | undefined;
    const row = connection.mapErrors(read);
    if (!isTooNew(row?.[0])) return;
    const refusal = programTooOld(row[0]);
    this.#refuse(refusal);
    throw refusal;
  }

  async close(): Promise<void> {
    this.#checkFile();
    await this.#givenUp;
    await this.#closeThreads();
    this.#closeBoth();
  }

  /** Also runs after the schema has become too new, because the file may then be replaced by an older backup. */
  #checkFile(): void {
    if (this.#givenUp) return;
    const state = this.#opened.state();
    if (state === 'in place') return;
    this.#refuse(new DatabaseUnavailable(LOST[state]));
    this.#givenUp = this.#giveUp(state);
  }

  /** From now on, everything fails with this. */
  #refuse(refusal: DatabaseUnavailable): void {
    this.writer.refusal = refusal;
    this.reader.refusal = refusal;
    this.failures.emit(refusal);
  }

  /** Waits until the connections are unused and no snapshot needs the log. */
  async #giveUp(state: FileState): Promise<void> {
    await this.#closeThreads();
    await this.writes.connection().execute(() =>
      this.reads.connection().execute(async () => {
        while (!this.#release(state)) await sleep(RELEASE_RETRY_MS, undefined, { ref: false });
        this.#closeBoth();
      }),
    );
  }

  /**
   * Makes sure that no log of the old file is used for the new file of the same name. Returns false while a reader blocks it.
   * The connections are closed immediately afterwards, because SQLite would otherwise later delete the log of the new file,
   * which has the same name.
   */
  #release(state: FileState): boolean {
    const { database } = this.writer;
    if (!database.isOpen) return true;
    // Writes the log back to the file, which may still be needed under another name.
    const { busy } = database.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
    if (busy) return false;
    // Only a new file of the same name could use the log. Without one, the old file may come back, or others may still use it.
    if (state !== 'replaced') return true;
    // The write lock of the old file makes sure that only one process does this at a time.
    database.exec('begin immediate');
    this.#opened.removeSideFiles();
    database.exec('rollback');
    return true;
  }

  async #closeThreads(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #closeBoth(): void {
    for (const { database } of [this.reader, this.writer]) if (database.isOpen) database.close();
  }
}

/** Repeats the work until it succeeds or the time is over. It is refused while another process writes or reads. */
async function retryWhileBusy(deadline: number, work: () => void): Promise<void> {
  for (;;) {
    try {
      return mapErrors(work);
    } catch (error) {
      const isInUse = isBusy(error) || (error instanceof DatabaseUnavailable && error.message.includes(LOG_IN_USE));
      if (!isInUse || performance.now() > deadline) throw error;
      await sleep(RELEASE_RETRY_MS);
    }
  }
}
