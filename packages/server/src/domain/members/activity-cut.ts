import { type ChangeInstallation, OPERATOR } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { PublicSigningKey } from '../credentials/index.ts';
import { Failure } from '../failure.ts';
import type { Chain, ChainEnd } from './activity-chain.ts';
import type { StoredEntry } from './chain-check.ts';
import { openCheckpoint, type SigningDeps, signCheckpoint } from './checkpoint.ts';

// The activity log may be kept for a number of days only. Then the oldest entries of a chain are removed, and a cut remains:
// how many they were and the hash of the last one, signed. The rest of the chain is verified from there on.

/** The entries of a chain up to this one were removed. */
export interface Cut extends ChainEnd {
  /** A signed checkpoint that says so, as JSON, and the key that has signed it. */
  signed: string;
  kid: string;
}

export interface ActivityCuts {
  all(): Promise<Cut[]>;
  /** The next chains with entries after this one, in the order of their names, and the time of the first entry of each. */
  chainsAfter(chain: string, limit: number): Promise<{ chain: Chain; firstAt: number }[]>;
}

/** Changes to cuts within a change to the installation. */
export interface CutChanges {
  all(): Promise<Cut[]>;
  find(chain: Chain): Promise<Cut | undefined>;
  /** The first entries that a chain still has, at most this many. */
  firstEntries(chain: Chain, max: number): Promise<StoredEntry[]>;
  /** Those of the changes in many parts of which the chain also has a part after this entry. */
  continuedAfter(chain: Chain, number: number, partsOf: readonly string[]): Promise<Set<string>>;
  /** Stores the cut, and removes the entries up to it. */
  cut(cut: Cut): Promise<void>;
  /** Replaces a signature by another one. */
  replace(cut: Cut): Promise<void>;
}

export interface CutDeps extends SigningDeps {
  activityCuts: ActivityCuts;
  changeInstallation: ChangeInstallation<{ cuts: CutChanges }>;
  clock: Clock;
}

/** So many are signed in one transaction, so that other changes do not wait long. */
export const CHAINS_AT_ONCE = 50;

export async function signCut(deps: SigningDeps, { chain, count, hash }: ChainEnd, madeAt: number): Promise<Cut> {
  const end = { chain, count, hash };
  const checkpoint = await signCheckpoint(deps, { madeAt, chains: [end] }, 'cut');
  return { ...end, kid: checkpoint.key.kid, signed: JSON.stringify(checkpoint) };
}

/** Fails if the cut is not what the installation has signed. Returns when it was made. */
export async function openCut(
  knownKeys: readonly PublicSigningKey[],
  { chain, count, hash, signed }: Cut,
  acceptUnknownKey = false,
): Promise<number> {
  const { chains, madeAt, kid, isKeyKnown } = await openCheckpoint(knownKeys, signed, 'cut');
  const [end] = chains;
  if (chains.length !== 1 || end?.chain !== chain || end.count !== count || end.hash !== hash) {
    throw new Failure('bad_parameter', 'The signature is that of another cut.');
  }
  if (!isKeyKnown && !acceptUnknownKey) {
    throw new Failure('conflict', `It was signed with the key ${kid}, which this installation does not have.`);
  }
  return madeAt;
}

/**
 * Signs with the current key what other keys have signed, so that these can be deleted. What none of the installation's keys
 * has signed stays as it is, and is found when the log is verified.
 */
export async function signCutsAgain(deps: CutDeps): Promise<void> {
  const { kid } = deps.signingKeys.current();
  const stale = (await deps.activityCuts.all()).filter((cut) => cut.kid !== kid);
  for (let start = 0; start < stale.length; start += CHAINS_AT_ONCE) {
    const some = stale.slice(start, start + CHAINS_AT_ONCE);
    await deps.changeInstallation({ actor: OPERATOR, at: deps.clock.now() }, ({ cuts }) =>
      signAgain(deps, cuts, { chains: some, formerKeys: deps.signingKeys.published() }),
    );
  }
}

/** The same within a change, for the cuts of these chains. */
export async function signAgain(
  deps: SigningDeps,
  cuts: CutChanges,
  { chains, formerKeys }: { chains: readonly Pick<Cut, 'chain'>[]; formerKeys: readonly PublicSigningKey[] },
): Promise<void> {
  for (const { chain } of chains) {
    const cut = await cuts.find(chain);
    if (!cut) continue;
    const madeAt = await timeOf(formerKeys, cut);
    if (madeAt !== undefined) await cuts.replace(await signCut(deps, cut, madeAt));
  }
}

async function timeOf(knownKeys: readonly PublicSigningKey[], cut: Cut): Promise<number | undefined> {
  try {
    return await openCut(knownKeys, cut);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
