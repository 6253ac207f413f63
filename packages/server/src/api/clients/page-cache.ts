import { LRUCache } from 'lru-cache';
import type { Answer } from '../../http/answer.ts';

/** What an entry takes beside its characters, measured: the answer, its list of headers and texts, and its place here. */
const PAGE_BYTES = 700;
const ASKED_BYTES = 200;

/** This part of the memory is for what has been asked for: some five thousand queries for 16 MB. */
const ASKED_SHARE = 1 / 16;

/**
 * Ready-made pages by workspace, stamp and query string, the longest unused forgotten first. The stamp keeps it true: a
 * page of an older one is never asked for again.
 *
 * A page is kept when it is asked for the second time. A walk asks for each page once, and so does not take the place of
 * those that are asked for often. Whether it is the second time goes by the query alone, so that after a change a page
 * that is in demand is kept at once.
 */
export class PageCache {
  readonly #pages: LRUCache<string, Answer> | undefined;
  readonly #asked: LRUCache<string, true> | undefined;

  constructor(maxBytes: number) {
    const forAsked = Math.floor(maxBytes * ASKED_SHARE);
    if (forAsked === 0) return;
    this.#asked = new LRUCache({ maxSize: forAsked, sizeCalculation: (_, query) => ASKED_BYTES + query.length });
    this.#pages = new LRUCache({ maxSize: maxBytes - forAsked, sizeCalculation: sizeOf });
  }

  get(workspaceId: number, stamp: string, queryString: string): Answer | undefined {
    return this.#pages?.get(keyOf(workspaceId, stamp, queryString));
  }

  /** Keeps the page if its query has been asked for before. */
  offer(workspaceId: number, stamp: string, queryString: string, page: Answer): void {
    const query = `${workspaceId} ${queryString}`;
    if (this.#asked?.get(query)) this.#pages?.set(keyOf(workspaceId, stamp, queryString), page);
    else this.#asked?.set(query, true);
  }
}

function keyOf(workspaceId: number, stamp: string, queryString: string): string {
  return `${workspaceId} ${stamp} ${queryString}`;
}

/** Addresses and headers have a byte for each character; a body has two once a name is written in another alphabet. */
function sizeOf({ headers, body, encoding }: Answer, key: string): number {
  const characters = headers.reduce((sum, header) => sum + header.length, key.length);
  return PAGE_BYTES + characters + (encoding === 'latin1' ? body.length : 2 * body.length);
}
