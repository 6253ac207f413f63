import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../../domain/failure.ts';
import { beginWithTemplate, temporaryFolder } from '../../../testing/test-store.ts';
import type { TestQuestion } from '../../../testing/thread-for-tests.ts';
import { inodeOf } from './database-file.ts';
import { openSqlite } from './sqlite.ts';
import { SqliteThread, THREAD_LIMITS, type ThreadLimits } from './sqlite-thread.ts';

const INTERRUPTED = {
  code: 'unavailable',
  message: 'Service temporarily unavailable: the search was interrupted. Try again.',
};

async function openThread(limits: Partial<ThreadLimits> = {}) {
  const file = join(temporaryFolder(), 'rollcall.db');
  await beginWithTemplate(file);
  const engine = openSqlite(file);
  await engine.migrate();
  const report = vi.fn();
  const requireUsable = vi.fn();
  const thread = new SqliteThread(
    {
      entry: new URL('../../../testing/thread-for-tests.ts', import.meta.url),
      data: { file, inode: inodeOf(file) ?? '' },
      requireUsable,
      report,
    },
    { ...THREAD_LIMITS, ...limits },
  );
  onTestFinished(async () => {
    await thread.close();
    await engine.close();
  });
  const ask = (question: TestQuestion, signal?: AbortSignal) => thread.ask<unknown>(question, signal);
  const names = () => thread.ask<{ begun: string[]; before: number; after: number }>({ kind: 'names' });
  return { engine, thread, report, requireUsable, ask, names };
}

test('while the thread is busy, the process answers others', async () => {
  const { ask, names } = await openThread();
  await names();
  const asking = ask({ kind: 'block', ms: 500 });
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  expect(await asking).toBe('done');
  clearInterval(timer);
  // About five hundred, but a busy machine may leave most of them out.
  expect(turns).toBeGreaterThan(10);
});

test('an answer is one snapshot, which has every change before the question', async () => {
  const { engine, names } = await openThread();
  const add = () => engine.write((db) => db.insertInto('accounts').values({ name: 'Firm', created_at: 0 }).execute());
  for (let accounts = 1; accounts <= 5; accounts++) {
    await add();
    const asking = names();
    const adding = accounts === 3 ? sleep(20).then(add) : undefined;
    const { before, after } = await asking;
    expect(after).toBe(before);
    expect(before).toBeGreaterThanOrEqual(accounts);
    await adding;
    if (adding) accounts++;
  }
});

test('a question whose caller has left is not begun, and one that has begun ends', async () => {
  const { ask, names } = await openThread({ atOnce: 1 });
  const [running, waiting] = [new AbortController(), new AbortController()];
  const reason = new Failure('conflict', 'gone');
  const asked = ask({ kind: 'wait until cancelled' }, running.signal);
  const never = ask({ kind: 'throw' }, waiting.signal);
  waiting.abort(reason);
  await expect(never).rejects.toBe(reason);
  running.abort(reason);
  await expect(asked).rejects.toBe(reason);
  await expect(ask({ kind: 'names' }, AbortSignal.abort(reason))).rejects.toBe(reason);
  // It has the only connection, so the question before has ended.
  expect((await names()).begun).toEqual(['wait until cancelled', 'names']);
});

test.each<[string, TestQuestion]>([
  ['ends', { kind: 'exit' }],
  ['needs too much memory', { kind: 'fill the memory' }],
])('if the thread %s, its questions fail, and those that wait begin in a new one', async (_name, question) => {
  const { ask, names, report } = await openThread({ atOnce: 2 });
  const both = Promise.allSettled([ask({ kind: 'wait until cancelled' }), ask(question)]);
  const waiting = names();
  for (const result of await both) expect(result).toMatchObject({ status: 'rejected', reason: INTERRUPTED });
  expect((await waiting).begun).toEqual(['names']);
  // The database can be used.
  expect(report).not.toHaveBeenCalled();
});

test('an unexpected error is passed on, and the thread goes on', async () => {
  const { ask, names } = await openThread();
  await expect(ask({ kind: 'throw' })).rejects.toThrow('this is unexpected');
  expect((await names()).begun).toEqual(['throw', 'names']);
});

test('a question that takes too long fails, and the thread is ended', async () => {
  // Long enough for a new thread to start on a busy machine.
  const { ask, names } = await openThread({ atOnce: 1, answerMs: 10_000 });
  await names();
  const failure = { code: 'unavailable', message: expect.stringContaining('took too long') };
  await expect(ask({ kind: 'wait until cancelled' })).rejects.toMatchObject(failure);
  expect((await names()).begun).toEqual(['names']);
});

test('few questions wait, and the others are refused', async () => {
  const { ask, names } = await openThread({ atOnce: 1, waiting: 1 });
  const leaving = new AbortController();
  const running = ask({ kind: 'wait until cancelled' }, leaving.signal);
  const waiting = names();
  const failure = { code: 'unavailable', message: expect.stringContaining('too many searches') };
  await expect(names()).rejects.toMatchObject(failure);
  leaving.abort(new Failure('conflict', 'gone'));
  await expect(running).rejects.toThrow('gone');
  await waiting;
});

test('a thread without questions ends after a while, and the next question starts another one', async () => {
  const { ask, names } = await openThread({ idleMs: 20 });
  expect((await names()).begun).toEqual(['names']);
  await sleep(200);
  expect((await names()).begun).toEqual(['names']);
  await expect(ask({ kind: 'block', ms: 100 })).resolves.toBe('done');
});

test('when it is closed, questions that run or wait fail, and no more are accepted', async () => {
  const { thread, ask, names } = await openThread({ atOnce: 1 });
  const asked = Promise.allSettled([ask({ kind: 'wait until cancelled' }), names()]);
  await thread.close();
  for (const result of await asked) expect(result).toMatchObject({ status: 'rejected', reason: INTERRUPTED });
  await expect(names()).rejects.toMatchObject(INTERRUPTED);
});

test('a database that must not be used any more is not asked', async () => {
  const { names, requireUsable } = await openThread();
  requireUsable.mockImplementation(() => {
    throw new Failure('unavailable', 'The file was replaced.');
  });
  await expect(names()).rejects.toThrow('The file was replaced.');
});
