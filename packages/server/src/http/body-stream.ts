import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';
import { bodyTimeout } from './read-body.ts';
import { bodyTooLarge } from './request-size.ts';

/** A caller that sends less than this has left, or only keeps others from sending theirs. */
export interface LeastPace {
  /** So many bytes must arrive in this time, and the whole must not fall further behind the least rate. */
  progressBytes: number;
  progressMs: number;
  /** The least rate, on average. */
  bytesPerSecond: number;
}

const LEAST_PACE: LeastPace = { progressBytes: 16 * 1024, progressMs: 30_000, bytesPerSecond: 8 * 1024 };

/** The bytes of a body as they arrive. It may take as long as it likes, as long as it goes on. */
export async function* bodyStream(
  request: IncomingMessage,
  maxBytes: number,
  { progressBytes, progressMs, bytesPerSecond } = LEAST_PACE,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  // The connection stays open for the refusal.
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let [size, noted, notedAt, waitedMs] = [0, 0, performance.now(), 0];
  for (;;) {
    const askedAt = performance.now();
    const aheadMs = (1000 * size) / bytesPerSecond - waitedMs;
    const { value, done } = await nextWithin(progressMs + Math.min(notedAt - askedAt, aheadMs), chunks);
    if (done) break;
    // Only for the caller: storing what has arrived may take long, too.
    waitedMs += performance.now() - askedAt;
    size += value.length;
    if (size - noted >= progressBytes) [noted, notedAt] = [size, performance.now()];
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
