import type { PublicSigningKey } from '../credentials/index.ts';
import { Failure } from '../failure.ts';
import type { ChainEnd } from './activity-chain.ts';
import { type Cut, openCut } from './activity-cut.ts';
import { ChainCheck, type ChainProblem, type StoredEntry } from './chain-check.ts';

/** Where a chain should end, and whose it is. */
export interface OwnedEnd extends ChainEnd {
  /** Null for the installation. */
  accountId: number | null;
}

/** The chains at one moment. */
export interface ChainsRead {
  /** Those of one account, or all. */
  ends(accountId?: number): Promise<OwnedEnd[]>;
  /** Where entries were removed because they were old. */
  cuts(): Promise<Cut[]>;
  /** In the order of their numbers. */
  entries(chain: string): AsyncIterable<StoredEntry>;
  /** The chains that entries name, whether they exist or not. */
  named(): Promise<string[]>;
}

export interface ActivityChains {
  /** The caller must close it. */
  open(): Promise<{ chains: ChainsRead; close(): Promise<void> }>;
  inSnapshot<T>(work: (chains: ChainsRead) => Promise<T>): Promise<T>;
}

export interface VerifiedActivity {
  chains: number;
  entries: number;
  problems: ChainProblem[];
  /** Where entries were removed because they were old. */
  removed: ChainEnd[];
}

export interface VerifyAgainst {
  /** The keys of the installation, which sign what it has removed. */
  knownKeys: readonly PublicSigningKey[];
  /** The ends that chains had earlier, as a signed checkpoint has them. */
  signed?: readonly ChainEnd[] | undefined;
}

/** Verifies all chains. */
export async function verifyActivity(chains: ChainsRead, against: VerifyAgainst): Promise<VerifiedActivity> {
  const ends = await chains.ends();
  const named = new Set(await chains.named());
  const cuts = new Map((await chains.cuts()).map((cut) => [cut.chain, cut]));
  const signedEnds = new Map((against.signed ?? []).map((end) => [end.chain, end]));
  const verified: VerifiedActivity = { chains: ends.length, entries: 0, problems: [], removed: [] };
  for (const end of ends) {
    const { chain, accountId } = end;
    const cut = cuts.get(chain);
    const start = cut && (await openStart(cut, against, verified.problems));
    if (start) verified.removed.push(start);
    const check = new ChainCheck(chain, { accountId, start, signed: signedEnds.get(chain) });
    cuts.delete(chain);
    signedEnds.delete(chain);
    // Most chains of an installation with many accounts are empty.
    if (named.delete(chain)) {
      for await (const entry of chains.entries(chain)) {
        check.next(entry);
        verified.entries++;
      }
    }
    for (const problem of check.end(end)) verified.problems.push(problem);
  }
  for (const chain of signedEnds.keys()) {
    verified.problems.push({ chain, entry: 1, problem: 'is in the signed checkpoint and missing' });
  }
  for (const chain of new Set([...named, ...cuts.keys()])) {
    verified.problems.push({ chain, entry: 1, problem: 'is in a chain that belongs to nothing' });
  }
  return verified;
}

/** Where the rest of a chain begins. A cut that the installation has not signed is reported. */
export async function openStart(
  cut: Cut,
  { knownKeys }: VerifyAgainst,
  problems: ChainProblem[],
): Promise<ChainEnd & { before: number | undefined }> {
  const { chain, count, hash } = cut;
  try {
    const { before } = await openCut(knownKeys, cut);
    return { chain, count, hash, before };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const problem = `and all before it were removed without a valid signature: ${error.message}`;
    problems.push({ chain, entry: count, problem });
    return { chain, count, hash, before: undefined };
  }
}

export function problemText({ chain, entry, problem }: ChainProblem): string {
  const owner = chain === 'installation' ? 'the installation' : chain.replace(':', ' ');
  return `activity log of ${owner}: entry ${entry} ${problem}`;
}
