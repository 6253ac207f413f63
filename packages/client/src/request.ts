import { ConnectionError, RollcallError } from './errors.ts';
import type { FetchLike, FetchResponse } from './fetch.ts';
import { type ApiResponse, readResponse } from './response.ts';
import { describeFailure } from './transport-failure.ts';

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** JSON. */
  body?: string | undefined;
}

/** Sends one request, and calls `onAnswer` as soon as there is an answer. Failures are thrown as a RollcallError. */
export async function request<Data>(
  fetch: FetchLike,
  { method, url, headers, body }: ApiRequest,
  signal: AbortSignal,
  onAnswer: (response: FetchResponse) => void = () => {},
): Promise<ApiResponse<Data>> {
  const content =
    body === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body };
  try {
    // If fetch followed a redirect, it would send the API key to the target.
    const response = await fetch(url, { method, ...content, redirect: 'manual', signal });
    onAnswer(response);
    return readResponse(response, await response.text());
  } catch (error) {
    if (error instanceof RollcallError) throw error;
    throw new ConnectionError(`No response from ${new URL(url).origin}: ${describeFailure(error)}`, { cause: error });
  }
}
