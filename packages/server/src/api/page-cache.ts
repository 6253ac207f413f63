/** A list answer that can be sent as it is. */
export interface ReadyPage {
  /** Bytes, so that they are not encoded again for every caller. */
  body: Buffer;
  headers: Record<string, string>;
}

/** A rough price per entry beside its body, so that many small pages cannot outgrow the bound either. */
const ENTRY_BYTES = 500;

/**
 * Ready-made pages by workspace, version and query string, the longest unused forgotten first. The version in the key
 * keeps it true: a page of an older version is never asked for again.
 */
export class PageCache {
  readonly #maxBytes: number;
  readonly #pages = new Map<string, ReadyPage>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): ReadyPage | undefined {
    const page = this.#pages.get(key);
    if (page) {
      this.#pages.delete(key);
      this.#pages.set(key, page);
    }
    return page;
  }

  set(key: string, page: ReadyPage): void {
    this.#forget(key);
    const bytes = sizeOf(key, page);
    if (bytes > this.#maxBytes) return;
    this.#pages.set(key, page);
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

function sizeOf(key: string, { body }: ReadyPage): number {
  return ENTRY_BYTES + key.length + body.length;
}
