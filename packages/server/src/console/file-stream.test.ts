import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { fileStream } from './file-stream.ts';

/** Endless content that records when it was closed. */
function endless() {
  const state = { given: 0, closed: false };
  async function* content() {
    try {
      for (;;) {
        state.given++;
        yield 'x'.repeat(200_000);
      }
    } finally {
      state.closed = true;
    }
  }
  return { content: content(), state };
}

test('a file arrives unchanged, however it is cut into pieces', async () => {
  const texts = ['', 'ä€😀'.repeat(50_000), 'end'];
  const stream = fileStream(
    (async function* () {
      yield* texts;
    })(),
    { pieceMs: 60_000, bytesPerSecond: 1, wholeMs: 60_000 },
  );
  expect((await buffer(stream)).toString()).toBe(texts.join(''));
});

test('a reader that takes nothing ends the file, and no more than one batch was produced for it', async () => {
  const { content, state } = endless();
  const stream = fileStream(content, { pieceMs: 50, bytesPerSecond: 1, wholeMs: 60_000 });
  stream.read(0);
  const [error] = await once(stream, 'error');
  expect(error.message).toMatch(/too slow/);
  await expect.poll(() => state.closed).toBe(true);
  expect(state.given).toBeLessThanOrEqual(2);
});

test('a reader that needs too long for the whole file ends it as well', async () => {
  const { content, state } = endless();
  const stream = fileStream(content, { pieceMs: 60_000, bytesPerSecond: 1, wholeMs: 100 });
  await expect(async () => {
    for await (const _piece of stream) await new Promise((resolve) => setTimeout(resolve, 5));
  }).rejects.toThrow(/too slow/);
  await expect.poll(() => state.closed).toBe(true);
});

test('a reader that takes every piece in time, but is too slow on average, ends the file soon', async () => {
  const { content, state } = endless();
  const stream = fileStream(content, { pieceMs: 400, bytesPerSecond: 1024 * 1024, wholeMs: 60_000 });
  let pieces = 0;
  await expect(async () => {
    for await (const _piece of stream) {
      pieces++;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }).rejects.toThrow(/too slow/);
  expect(pieces).toBeLessThan(20);
  await expect.poll(() => state.closed).toBe(true);
});

test('time that the content takes is not counted against its reader', async () => {
  async function* slowly() {
    for (let piece = 0; piece < 5; piece++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      yield 'x'.repeat(1000);
    }
  }
  const stream = fileStream(slowly(), { pieceMs: 200, bytesPerSecond: 1024 * 1024, wholeMs: 60_000 });
  expect((await buffer(stream)).length).toBe(5000);
});
