// A thread whose questions say what it does.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { answerInThread } from '../store/engines/sqlite/answer-in-thread.ts';

export type TestQuestion =
  | { kind: 'names' }
  | { kind: 'block'; ms: number }
  | { kind: 'wait until cancelled' }
  | { kind: 'exit' }
  | { kind: 'fill the memory' }
  | { kind: 'throw' };

/** What has begun since the thread was started. */
const begun: string[] = [];

answerInThread<TestQuestion>(async ({ question, db, signal }) => {
  begun.push(question.kind);
  if (question.kind === 'names') {
    const read = async () => (await sql<{ name: string }>`select name from accounts`.execute(db)).rows.length;
    const before = await read();
    await sleep(50);
    return { begun, before, after: await read() };
  }
  if (question.kind === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, question.ms);
  if (question.kind === 'exit') process.exit(1);
  if (question.kind === 'throw') throw new TypeError('this is unexpected');
  if (question.kind === 'fill the memory') for (const kept: number[][] = []; ; ) kept.push(Array(10_000).fill(0.5));
  while (question.kind === 'wait until cancelled') {
    await sleep(1);
    signal.throwIfAborted();
  }
  return 'done';
});
