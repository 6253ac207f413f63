import type { HeaderList } from './header-list.ts';

/** The request headers that pages may send, besides those that browsers always allow. */
const ALLOWED_HEADERS = 'api-key, authorization, content-type, idempotency-key, if-match, if-none-match, x-request-id';

/** The response headers that pages may read, besides those that browsers always show. */
const EXPOSED_HEADERS =
  'ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';

/** How long a browser may remember the answer to its question. Browsers reduce it to two hours at most. */
const REMEMBER_SECONDS = '7200';

/**
 * Which web pages may call the API from a browser (CORS): those of the listed origins. Nobody else learns of the list, and
 * credentials are headers that a page sets itself, so cookies are never allowed.
 */
export class CrossOrigin {
  readonly #headers: ReadonlyMap<string, HeaderList>;
  readonly vary: string;

  constructor(origins: readonly string[]) {
    this.#headers = new Map(origins.map((origin) => [origin, headersFor(origin)]));
    // The answer depends on the origin only if some origins are listed.
    this.vary = origins.length > 0 ? 'Accept-Encoding, Origin' : 'Accept-Encoding';
  }

  /** The headers that let the page read the answer. None for a caller that is not a page of a listed origin. */
  headersOf(origin: string | undefined): HeaderList {
    return (origin !== undefined && this.#headers.get(origin)) || [];
  }

  /** The answer to a browser that asks whether a page may send such a request. */
  preflightHeadersOf(origin: string | undefined, methods: string): HeaderList {
    if (this.headersOf(origin).length === 0) return [];
    return [
      ...['Access-Control-Allow-Methods', methods],
      ...['Access-Control-Allow-Headers', ALLOWED_HEADERS],
      ...['Access-Control-Max-Age', REMEMBER_SECONDS],
    ];
  }
}

function headersFor(origin: string): HeaderList {
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED_HEADERS];
}
