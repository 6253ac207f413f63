import type { Answer } from '../http/answer.ts';

/** A rough price per entry beside its body, so that many small pages cannot outgrow the bound either. */
const ENTRY_BYTES = 500;

/**
 * Ready-made pages by workspace, stamp and query string, the longest unused forgotten first. The stamp in the key keeps
 * it true: a page of an older one is never asked for again.
 */
export class PageCache {
  readonly #maxBytes: number;
  readonly #pages = new Map<string, Answer>();
  #bytes = 0;
  /** The key that was moved to the end last. */
  #latest = '';

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Answer | undefined {
    const page = this.#pages.get(key);
    // Most often the same page is asked for again and again.
    if (page && key !== this.#latest) {
      this.#pages.delete(key);
      this.#pages.set(key, page);
      this.#latest = key;
    }
    return page;
  }

  set(key: string, page: Answer): void {
    if (this.#maxBytes === 0) return;
    this.#forget(key);
    const bytes = sizeOf(key, page);
    if (bytes > this.#maxBytes) return;
    this.#pages.set(key, page);
    this.#latest = key;
    this.#bytes += bytes;
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const page = this.#pages.get(key);
    if (!page) return;
    this.#pages.delete(key);
    this.#bytes -= sizeOf(key, page);
  }
}

/** As if every character took two bytes, which it does once a name is written in another alphabet. */
function sizeOf(key: string, { headers, body }: Answer): number {
  const characters = headers.reduce((sum, header) => sum + header.length, key.length + body.length);
  return ENTRY_BYTES + 2 * characters;
}
