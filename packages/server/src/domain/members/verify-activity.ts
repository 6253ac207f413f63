import { type ChainEnd, type ChainHead, hashOfDetails, hashOfEntry, type LinkedFields } from './activity-chain.ts';

/** An entry as it is stored. */
export interface StoredEntry extends LinkedFields {
  number: number;
  hash: string;
  /** Null if there were none, and since its client was erased. */
  details: string | null;
  salt: string | null;
}

/** The chains at one moment. */
export interface ChainsRead {
  /** Where each chain should end; those of one account, or all. */
  ends(accountId?: number): Promise<ChainEnd[]>;
  /** In the order of their numbers. */
  entries(chain: string): AsyncIterable<StoredEntry>;
  /** The chains that entries name and that do not exist. */
  unknownChains(): Promise<string[]>;
}

export interface ActivityChains {
  /** The caller must close it. */
  open(): Promise<{ chains: ChainsRead; close(): Promise<void> }>;
  inSnapshot<T>(work: (chains: ChainsRead) => Promise<T>): Promise<T>;
}

/** What is wrong with a chain, and where. */
export interface ChainProblem {
  chain: string;
  /** The number of the entry. */
  entry: number;
  problem: string;
}

/**
 * Verifies the entries of one chain, which are passed in their order. After a problem it goes on with the stored hash, so
 * that every problem is found and each is named once.
 */
export class ChainCheck {
  readonly problems: ChainProblem[] = [];
  readonly #chain: string;
  /** Heads that were signed earlier. The chain must still contain their entries. */
  readonly #signed: Map<number, string>;
  /** The entries without their details, by the client that must have been erased since. */
  readonly #erased = new Map<string, number>();
  #last: ChainHead = { count: 0, hash: '' };

  constructor(chain: string, signed: readonly ChainHead[] = []) {
    this.#chain = chain;
    this.#signed = new Map(signed.filter(({ count }) => count > 0).map(({ count, hash }) => [count, hash]));
  }

  next(entry: StoredEntry): void {
    const expected = this.#last.count + 1;
    if (entry.number > expected) this.#report(expected, missing(expected, entry.number - 1));
    this.#checkHash(entry);
    this.#checkDetails(entry);
    const signed = this.#signed.get(entry.number);
    if (signed !== undefined && signed !== entry.hash) this.#report(entry.number, 'differs from the signed checkpoint');
    this.#signed.delete(entry.number);
    this.#last = { count: entry.number, hash: entry.hash };
  }

  /** `head` is what the chain should end with. */
  end(head: ChainHead): ChainProblem[] {
    const { count, hash } = this.#last;
    if (count < head.count) this.#report(count + 1, missing(count + 1, head.count));
    else if (count > head.count) this.#report(head.count + 1, 'was added behind the recorded end');
    else if (hash !== head.hash) this.#report(count, 'is not the entry that is recorded as the last one');
    for (const number of this.#signed.keys()) {
      if (number > count) this.#report(number, 'is in the signed checkpoint and missing now');
    }
    for (const [client, number] of this.#erased) {
      this.#report(number, `has lost its details, although the client ${client} was not erased`);
    }
    return this.problems;
  }

  #checkHash(entry: StoredEntry): void {
    const { number, hash } = entry;
    const place = { chain: this.#chain, number, previous: this.#last.hash };
    // After a gap, the hash of the entry before is not known.
    if (number !== this.#last.count + 1 || hashOfEntry(place, entry) === hash) return;
    this.#report(number, 'was changed, or replaced by another one');
  }

  #checkDetails({ number, action, subject, salt, details, detailsHash }: StoredEntry): void {
    if (action === 'client.erased') this.#erased.delete(subject);
    if (details === null) {
      if (detailsHash !== '' && !this.#erased.has(subject)) this.#erased.set(subject, number);
    } else if (hashOfDetails(salt ?? '', details) !== detailsHash) {
      this.#report(number, 'has other details than were recorded');
    }
  }

  #report(entry: number, problem: string): void {
    this.problems.push({ chain: this.#chain, entry, problem });
  }
}

function missing(first: number, last: number): string {
  return first === last ? 'is missing' : `and all up to ${last} are missing`;
}

export interface VerifiedActivity {
  chains: number;
  entries: number;
  problems: ChainProblem[];
}

/** Verifies all chains. `signed` are the ends that chains had earlier, as a signed checkpoint has them. */
export async function verifyActivity(chains: ChainsRead, signed: readonly ChainEnd[] = []): Promise<VerifiedActivity> {
  const ends = await chains.ends();
  const verified: VerifiedActivity = { chains: ends.length, entries: 0, problems: [] };
  for (const end of ends) {
    const check = new ChainCheck(
      end.chain,
      signed.filter(({ chain }) => chain === end.chain),
    );
    for await (const entry of chains.entries(end.chain)) {
      check.next(entry);
      verified.entries++;
    }
    verified.problems.push(...check.end(end));
  }
  const known = new Set<string>(ends.map(({ chain }) => chain));
  const gone = signed.flatMap(({ chain }) => (known.has(chain) ? [] : chain));
  for (const chain of gone)
    verified.problems.push({ chain, entry: 1, problem: 'is in the signed checkpoint and missing now' });
  for (const chain of await chains.unknownChains()) {
    verified.problems.push({ chain, entry: 1, problem: 'is in a chain that belongs to nothing' });
  }
  return verified;
}

export function problemText({ chain, entry, problem }: ChainProblem): string {
  return `activity log of ${chain.replace(':', ' ')}: entry ${entry} ${problem}`;
}
