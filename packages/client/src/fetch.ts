/**
 * What the client needs of a `fetch`. The platform's own fits, whether its types come from the DOM library or from
 * `@types/node`, and so does the one of undici.
 */
export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** What a request is made with. */
export interface FetchInit {
  /** The request headers, by name. */
  headers: Record<string, string>;
  /** Redirects must not be followed: they would carry the API key to wherever they point. */
  redirect: 'manual';
  /** Aborted when the answer has taken too long or is no longer wanted. */
  signal: AbortSignal;
}

/** What is read of an answer. */
export interface FetchResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The response headers. */
  readonly headers: FetchHeaders;
  /** Reads the whole body. */
  text(): Promise<string>;
}

/** Response headers, as far as they are read. */
export interface FetchHeaders {
  /** The value of a header whose name may be given in any letter case, or null where there is none. */
  get(name: string): string | null;
}
