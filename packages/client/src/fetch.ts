/**
 * The part of `fetch` that the client needs. The built-in `fetch` fits, whether its types come from the DOM library or from
 * `@types/node`, and so does the one of undici.
 */
export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The options of a request. */
export interface FetchInit {
  /** The method, such as `GET` or `PATCH`. */
  method: string;
  /** The request headers, by name. */
  headers: Record<string, string>;
  /**
   * The body: JSON, or the file of an import.
   * @defaultValue none: the request has no body
   */
  body?: string | Blob;
  /** Redirects must not be followed, because the API key would be sent to their target. */
  redirect: 'manual';
  /** Aborted when the response takes too long or is no longer needed. */
  signal: AbortSignal;
}

/** The parts of a response that are read. */
export interface FetchResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The response headers. */
  readonly headers: FetchHeaders;
  /** Reads the whole body. */
  text(): Promise<string>;
}

/** The response headers. */
export interface FetchHeaders {
  /** The value of a header, or null if it is missing. The letter case of the name does not matter. */
  get(name: string): string | null;
}
