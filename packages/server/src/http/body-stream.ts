import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';
import { bodyTimeout } from './read-body.ts';
import { bodyTooLarge } from './request-size.ts';

/** A caller that sends less than this in this time has left, or only keeps others from sending theirs. */
const PROGRESS_BYTES = 16 * 1024;
const PROGRESS_MS = 30_000;

/** The bytes of a body as they arrive. It may take as long as it likes, as long as it goes on. */
export async function* bodyStream(request: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  // The connection stays open for the refusal.
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let [size, noted, notedAt] = [0, 0, performance.now()];
  for (;;) {
    const { value, done } = await nextWithin(notedAt + PROGRESS_MS - performance.now(), chunks);
    if (done) break;
    size += value.length;
    if (size - noted >= PROGRESS_BYTES) [noted, notedAt] = [size, performance.now()];
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    yield value;
  }
  if (!request.complete) throw incomplete();
}

async function nextWithin(ms: number, chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(bodyTimeout()), Math.max(0, ms));
  try {
    return await Promise.race([chunks.next().catch(() => Promise.reject(incomplete())), late]);
  } finally {
    clearTimeout(timer);
  }
}

function incomplete(): HttpError {
  return new HttpError(400, 'Bad request: the body did not arrive completely.', { close: true });
}
