import { crc32 } from 'node:zlib';

/** Clients whose words are added up together: few enough to find the wrong ones, and so many that ten million need little memory. */
const CLIENTS_PER_SUM = 100;

/**
 * A checksum of the words of every hundred clients. The index returns its words in an order of its own, so sums are compared
 * instead of words: those of the index with those of the clients.
 */
export class WordSums {
  readonly #sums: Int32Array;
  readonly #lastId: number;
  /** The first client that has words but no possible id. */
  unknownId: number | undefined;

  constructor(lastId: number) {
    this.#lastId = lastId;
    this.#sums = new Int32Array(Math.ceil((lastId + 1) / CLIENTS_PER_SUM));
  }

  add(clientId: number, word: string): void {
    this.#change(clientId, word, 1);
  }

  subtract(clientId: number, word: string): void {
    this.#change(clientId, word, -1);
  }

  /** The ranges of ids in which something was added that was not subtracted, or the other way round. */
  *wrong(): Generator<{ first: number; last: number }> {
    for (const [index, sum] of this.#sums.entries()) {
      const first = index * CLIENTS_PER_SUM;
      if (sum !== 0) yield { first, last: Math.min(first + CLIENTS_PER_SUM - 1, this.#lastId) };
    }
  }

  #change(clientId: number, word: string, sign: number): void {
    if (clientId > this.#lastId || clientId < 0) {
      this.unknownId ??= clientId;
      return;
    }
    const index = Math.floor(clientId / CLIENTS_PER_SUM);
    // With the id in the checksum, so that two clients cannot have exchanged their words. The sum wraps around at 32 bits.
    this.#sums[index] = (this.#sums[index] as number) + sign * crc32(word, clientId >>> 0);
  }
}
