import { type Answer, readAnswer } from './answer.ts';
import { ConnectionError, RollcallError, TimeoutError } from './errors.ts';
import { linkAbort } from './linked-abort.ts';

export interface AttemptSettings {
  fetch: typeof fetch;
  /** For the whole attempt, from connecting to the last byte of the body. */
  timeoutMs: number;
}

/** One GET, bounded in time. Throws a RollcallError, or the signal's reason. */
export async function attempt<Data>(
  { fetch, timeoutMs }: AttemptSettings,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<Answer<Data>> {
  const { controller, release } = linkAbort(signal);
  const timer = setTimeout(
    () => controller.abort(new TimeoutError(`No complete answer within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    controller.signal.throwIfAborted();
    // Followed by fetch itself, a redirect would carry the API key to wherever it points.
    const response = await fetch(url, { headers, redirect: 'manual', signal: controller.signal });
    return readAnswer(response, await response.text());
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof RollcallError) throw error;
    throw new ConnectionError(`No answer from ${new URL(url).origin}: ${innermostMessage(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    release();
  }
}

/** Most platforms say only "fetch failed" and keep what went wrong in the cause. */
function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return innermostMessage(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return error.message || code;
}
