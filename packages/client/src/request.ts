import { type Answer, readAnswer } from './answer.ts';
import { ConnectionError, RollcallError } from './errors.ts';
import type { FetchLike } from './fetch.ts';
import { describeFailure } from './transport-failure.ts';

/** One GET. Throws a RollcallError. */
export async function request<Data>(
  fetch: FetchLike,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Answer<Data>> {
  try {
    // Followed by fetch itself, a redirect would carry the API key to wherever it points.
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    return readAnswer(response, await response.text());
  } catch (error) {
    if (error instanceof RollcallError) throw error;
    throw new ConnectionError(`No answer from ${new URL(url).origin}: ${describeFailure(error)}`, { cause: error });
  }
}
