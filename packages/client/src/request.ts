import { ConnectionError, RollcallError } from './errors.ts';
import type { FetchLike, FetchResponse } from './fetch.ts';
import { describeFailure } from './transport-failure.ts';

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: RequestBody | undefined;
}

export interface RequestBody {
  /** The media type. */
  type: string;
  content: string | Blob;
}

/** Reads a complete answer. */
export type ReadAnswer<Answer> = (response: FetchResponse, text: string) => Answer;

/** Sends one request, and calls `onAnswer` as soon as there is an answer. Failures are thrown as a RollcallError. */
export async function request<Answer>(
  fetch: FetchLike,
  { method, url, headers, body }: ApiRequest,
  read: ReadAnswer<Answer>,
  signal: AbortSignal,
  onAnswer: (response: FetchResponse) => void = () => {},
): Promise<Answer> {
  const content = body ? { headers: { ...headers, 'content-type': body.type }, body: body.content } : { headers };
  try {
    // If fetch followed a redirect, it would send the API key to the target.
    const response = await fetch(url, { method, ...content, redirect: 'manual', signal });
    onAnswer(response);
    return read(response, await response.text());
  } catch (error) {
    if (error instanceof RollcallError) throw error;
    throw new ConnectionError(`No response from ${new URL(url).origin}: ${describeFailure(error)}`, { cause: error });
  }
}
