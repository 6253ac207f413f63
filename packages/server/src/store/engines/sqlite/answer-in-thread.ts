import { parentPort, workerData } from 'node:worker_threads';
import { Kysely } from 'kysely';
import type { Tables } from '../../tables.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import type { ReadOnlyDatabase, SearchEngine } from '../engine.ts';
import { inodeOf } from './database-file.ts';
import { NodeSqliteDialect, SqliteConnection } from './driver.ts';
import { openThreadReader } from './open-file.ts';
import { jsonOf, listOf } from './sql-fragments.ts';
import type { AskedQuestion, FromThread, ThreadData, ThreadError, ToThread } from './thread-messages.ts';
import { DATABASE_CONTEXT } from './unavailable-errors.ts';
import { findWords } from './word-index.ts';

/** Nobody else waits for this thread, except for another question, and for a message that the answer is not needed any more. */
const THREAD_ENGINE: SearchEngine = { listOf, jsonOf, words: { find: findWords }, sliceMs: 20, pauseMs: 0 };

export interface ThreadTask<Question> {
  question: Question;
  /** One snapshot for the whole answer. */
  db: ReadOnlyDatabase;
  engine: SearchEngine;
  signal: AbortSignal;
}

/** Answers all questions that `SqliteThread` passes to this thread. */
export function answerInThread<Question>(answer: (task: ThreadTask<Question>) => Promise<unknown>): void {
  const data: ThreadData = workerData;
  const connections: Kysely<Tables>[] = [];
  const running = new Map<number, AbortController>();

  const reply = async ({ id, connection, question }: AskedQuestion): Promise<FromThread> => {
    const cancelling = new AbortController();
    running.set(id, cancelling);
    try {
      connections[connection] ??= connect(data);
      const { signal } = cancelling;
      return {
        id,
        answer: await connections[connection].transaction().execute((db) => {
          return answer({ question: question as Question, db, engine: THREAD_ENGINE, signal });
        }),
      };
    } catch (error) {
      return { id, failed: toThreadError(error) };
    } finally {
      running.delete(id);
    }
  };

  parentPort?.on('message', async (message: ToThread) => {
    if ('cancelled' in message) running.get(message.cancelled)?.abort();
    else parentPort?.postMessage(await reply(message));
  });
}

function connect({ file, inode }: ThreadData): Kysely<Tables> {
  const connection = new SqliteConnection(openThreadReader(file), { ...DATABASE_CONTEXT, file });
  if (inodeOf(file) !== inode) {
    connection.database.close();
    throw new DatabaseUnavailable('the database file was replaced by another file');
  }
  return new Kysely({ dialect: new NodeSqliteDialect(connection, 'begin') });
}

function toThreadError(error: unknown): ThreadError {
  if (error instanceof DatabaseUnavailable) {
    return { kind: 'unavailable', reason: error.reason, isTransient: error.isTransient };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'unexpected', message, stack };
}
