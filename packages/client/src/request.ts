import { ConnectionError, RollcallError } from './errors.ts';
import type { FetchLike, FetchResponse } from './fetch.ts';
import { type ApiResponse, readResponse } from './response.ts';
import { describeFailure } from './transport-failure.ts';

/** Sends one GET request, and calls `onAnswer` as soon as there is an answer. Failures are thrown as a RollcallError. */
export async function request<Data>(
  fetch: FetchLike,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  onAnswer: (response: FetchResponse) => void = () => {},
): Promise<ApiResponse<Data>> {
  try {
    // If fetch followed a redirect, it would send the API key to the target.
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    onAnswer(response);
    return readResponse(response, await response.text());
  } catch (error) {
    if (error instanceof RollcallError) throw error;
    throw new ConnectionError(`No response from ${new URL(url).origin}: ${describeFailure(error)}`, { cause: error });
  }
}
