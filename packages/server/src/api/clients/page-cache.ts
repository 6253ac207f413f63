import { LRUCache } from 'lru-cache';
import type { Answer } from '../../http/answer.ts';
import type { ContentEncoding } from '../../http/content-encoding.ts';

/** What an entry takes besides its characters, as measured: the answer, its list of headers and texts, and the entry itself. */
const PAGE_BYTES = 700;
const QUERY_BYTES = 200;

/** What distinguishes one answer from another. */
export interface PageKey {
  workspaceId: number;
  stamp: string;
  contentEncoding: ContentEncoding | undefined;
  query: string;
}

/** The share of the memory that remembers which queries were made: about five thousand of them for 16 MB. */
const QUERIES_SHARE = 1 / 16;

/**
 * Answers that were made earlier, by workspace, stamp, content encoding and query string, so that a page is compressed once. The least recently used are dropped first. The
 * stamp keeps them true: a page with an older stamp is never looked up again.
 *
 * A page is kept when it is requested for the second time. A caller that walks through all pages requests each of them
 * once, and so does not displace those that are requested often. Whether a request is the second one depends on the query
 * alone, so that a page in demand is kept again right after a change.
 */
export class PageCache {
  readonly #pages: LRUCache<string, Answer> | undefined;
  readonly #queries: LRUCache<string, true> | undefined;
  /** How many lookups have found a page, and how many have not. */
  hits = 0;
  misses = 0;

  constructor(maxBytes: number) {
    const queriesBytes = Math.floor(maxBytes * QUERIES_SHARE);
    if (queriesBytes === 0) return;
    this.#queries = new LRUCache({ maxSize: queriesBytes, sizeCalculation: (_, query) => QUERY_BYTES + query.length });
    this.#pages = new LRUCache({ maxSize: maxBytes - queriesBytes, sizeCalculation: sizeOf });
  }

  /** The memory that it takes. */
  get bytes(): number {
    return (this.#pages?.calculatedSize ?? 0) + (this.#queries?.calculatedSize ?? 0);
  }

  get(page: PageKey): Answer | undefined {
    const answer = this.#pages?.get(keyOf(page));
    if (answer) this.hits++;
    else this.misses++;
    return answer;
  }

  /** Keeps the page if its query was made before. */
  offer(page: PageKey, answer: Answer): void {
    const query = `${page.workspaceId} ${page.query}`;
    if (this.#queries?.get(query)) this.#pages?.set(keyOf(page), answer);
    else this.#queries?.set(query, true);
  }
}

function keyOf({ workspaceId, stamp, contentEncoding, query }: PageKey): string {
  return `${workspaceId} ${stamp} ${contentEncoding ?? ''} ${query}`;
}

/** Addresses and headers take a byte for each character. A text may take two if any of its characters is not ASCII. */
function sizeOf({ headers, body, encoding }: Answer, key: string): number {
  const characters = headers.reduce((sum, header) => sum + header.length, key.length);
  const bytesEach = typeof body !== 'string' || encoding === 'latin1' ? 1 : 2;
  return PAGE_BYTES + characters + bytesEach * body.length;
}
