import { type ChainHead, hashOfDetails, hashOfEntry, type LinkedFields } from './activity-chain.ts';

/** An entry as it is stored. */
export interface StoredEntry extends LinkedFields {
  number: number;
  hash: string;
  /** Null if there were none, and since its client was erased. */
  details: string | null;
  salt: string | null;
  /** Where the log shows it, which is not exported: in which account, and whether as one with an earlier part. */
  shown?: { accountId: number | null; continues: boolean };
}

/** What is wrong with a chain, and where. */
export interface ChainProblem {
  chain: string;
  /** The number of the entry. */
  entry: number;
  problem: string;
}

/** What is known about a chain besides its entries. */
export interface KnownOfChain {
  /** What it must still contain, because it was signed earlier, and the time of the last of these entries. */
  signed?: (ChainHead & { lastAt?: number | undefined }) | undefined;
  /** Where the log shows it; null for the installation. */
  accountId?: number | null;
  /** The last entry that was removed, if the log was cut. All removed ones were older than `before`. */
  start?: (ChainHead & { before?: number | undefined }) | undefined;
}

/** Problems of one chain that are named. The others are counted. */
const NAMED_MAX = 100;

/** Verifies the entries of one chain, which are passed in their order. After a problem it goes on with the stored hash. */
export class ChainCheck {
  readonly #problems: ChainProblem[] = [];
  #more = 0;
  readonly #chain: string;
  /** Undefined if it is not known. */
  readonly #accountId: number | null | undefined;
  /** What the chain must still contain, because it was signed earlier. */
  readonly #signed: KnownOfChain['signed'];
  /** The entries without their details, by the client that must have been erased since. */
  readonly #erased = new Map<string, number[]>();
  readonly #parts = new Set<string>();
  #last: ChainHead;

  constructor(chain: string, known: KnownOfChain = {}) {
    const { signed, accountId, start } = known;
    this.#chain = chain;
    this.#signed = signed;
    this.#accountId = accountId;
    this.#last = { count: start?.count ?? 0, hash: start?.hash ?? '' };
    this.#compareWithSigned(this.#last);
    const lastAt = signed && signed.count <= this.#last.count ? signed.lastAt : undefined;
    if (lastAt !== undefined && lastAt >= (start?.before ?? Number.POSITIVE_INFINITY)) {
      this.#report(signed?.count ?? 0, 'is in the signed checkpoint, and was removed although it was not old enough');
    }
  }

  /** The entries that have lost their details, by the client that must have been erased since. */
  get withoutDetails(): ReadonlyMap<string, readonly number[]> {
    return this.#erased;
  }

  /** These clients were erased later. */
  forgive(clients: Iterable<string>): void {
    for (const client of clients) this.#erased.delete(client);
  }

  next(entry: StoredEntry): void {
    const expected = this.#last.count + 1;
    if (!Number.isInteger(entry.number) || entry.number < expected) {
      this.#report(entry.number, 'was added');
      return;
    }
    if (entry.number > expected) this.#report(expected, missing(expected, entry.number - 1));
    else this.#checkHash(entry);
    this.#checkDetails(entry);
    this.#checkPlace(entry);
    this.#last = { count: entry.number, hash: entry.hash };
    this.#compareWithSigned(this.#last);
  }

  /** `head` is what the chain should end with. Without it, any end is right that contains what was signed. */
  end(head: ChainHead = this.#last): ChainProblem[] {
    const { count, hash } = this.#last;
    if (count < head.count) this.#report(count + 1, missing(count + 1, head.count));
    else if (count > head.count) this.#report(head.count + 1, 'was added behind the recorded end');
    else if (hash !== head.hash) this.#report(count, 'is not the entry that is recorded as the last one');
    if (this.#signed && this.#signed.count > count) {
      this.#report(this.#signed.count, 'is in the signed checkpoint and missing');
    }
    for (const [client, numbers] of this.#erased) {
      for (const number of numbers) {
        this.#report(number, `has lost its details, although the client ${client} was not erased`);
      }
    }
    const last = this.#problems.at(-1);
    if (last && this.#more > 0)
      this.#problems.push({ ...last, problem: `is not the last: ${this.#more} more problems` });
    return this.#problems;
  }

  #compareWithSigned({ count, hash }: ChainHead): void {
    if (this.#signed?.count === count && this.#signed.hash !== hash) {
      this.#report(count, 'differs from the signed checkpoint');
    }
  }

  #checkHash(entry: StoredEntry): void {
    const { number, hash } = entry;
    const place = { chain: this.#chain, number, previous: this.#last.hash };
    if (hashOfEntry(place, entry) !== hash) this.#report(number, 'was changed, or replaced by another one');
  }

  #checkDetails({ number, action, subject, salt, details, detailsHash }: StoredEntry): void {
    if (action === 'client.erased') this.#erased.delete(subject);
    if (details === null) {
      if (detailsHash !== '') this.#erased.set(subject, [...(this.#erased.get(subject) ?? []), number]);
    } else if (hashOfDetails(salt ?? '', details) !== detailsHash) {
      this.#report(number, 'has other details than were recorded');
    }
  }

  /** What the log shows depends on columns that the hash does not cover, because they follow from what it covers. */
  #checkPlace({ number, partOf, shown }: StoredEntry): void {
    if (shown) {
      if (this.#accountId !== undefined && shown.accountId !== this.#accountId) {
        this.#report(number, 'is shown in another account, or in none');
      }
      if (shown.continues !== (partOf !== null && this.#parts.has(partOf))) {
        this.#report(number, 'is hidden, or shown although it belongs to an earlier one');
      }
    }
    if (partOf !== null) this.#parts.add(partOf);
  }

  #report(entry: number, problem: string): void {
    if (this.#problems.length < NAMED_MAX) this.#problems.push({ chain: this.#chain, entry, problem });
    else this.#more++;
  }
}

function missing(first: number, last: number): string {
  return first === last ? 'is missing' : `and all up to ${last} are missing`;
}
