import { type ChangeInstallation, OPERATOR } from '../change.ts';
import type { Clock } from '../clock.ts';
import {
  type OwnSigningKeys,
  openOwnKeys,
  type PublicSigningKey,
  type SigningKeyChanges,
} from '../credentials/index.ts';
import { Failure } from '../failure.ts';
import type { InstallationSecrets, SealedChanges } from '../installation-secrets.ts';
import type { Chain, ChainEnd } from './activity-chain.ts';
import type { StoredEntry } from './chain-check.ts';
import { openCheckpoint, type SigningDeps, signCheckpoint } from './checkpoint.ts';

// The activity log may be kept for a number of days only. Then the oldest entries of a chain are removed, and a cut remains:
// how many they were and the hash of the last one, signed. The rest of the chain is verified from there on.

/** The entries of a chain up to this one were removed. */
export interface Cut extends ChainEnd {
  /** A signed checkpoint that says so, as JSON. */
  signed: string;
  /** The key that has signed it. */
  kid: string;
}

/** What is signed about a cut besides its place. */
export interface CutTimes {
  madeAt: number;
  /** All removed entries were older than this. */
  before: number;
}

export interface ActivityCuts {
  /** The next chains after this one with a cut that another key has signed, in the order of their names. */
  signedByOthers(kid: string, after: string, limit: number): Promise<Chain[]>;
  /** The next chains with entries after this one, in the order of their names, and the time of the first entry of each. */
  chainsAfter(chain: string, limit: number): Promise<{ chain: Chain; firstAt: number }[]>;
}

/** Changes to cuts within a change to the installation. */
export interface CutChanges {
  all(): Promise<Cut[]>;
  find(chain: Chain): Promise<Cut | undefined>;
  /** Whose log shows the chain: an account, or null for the installation. Undefined if the chain belongs to nothing. */
  ownerOf(chain: Chain): Promise<number | null | undefined>;
  /** The first entries that a chain still has, at most this many. */
  firstEntries(chain: Chain, max: number): Promise<StoredEntry[]>;
  /** Those of the changes in many parts of which the chain also has a part after this entry. */
  continuedAfter(chain: Chain, number: number, partsOf: readonly string[]): Promise<Set<string>>;
  /** Those of the clients that were erased after this entry. */
  erasedAfter(chain: Chain, number: number, clients: readonly string[]): Promise<Set<string>>;
  /** Stores the cut, and removes the entries up to it. */
  cut(cut: Cut): Promise<void>;
  /** Replaces a signature by another one. */
  replace(cut: Cut): Promise<void>;
}

export interface CutDeps {
  activityCuts: ActivityCuts;
  secrets: InstallationSecrets;
  changeInstallation: ChangeInstallation<{
    cuts: CutChanges;
    signingKeys: SigningKeyChanges;
    sealed: SealedChanges;
  }>;
  clock: Clock;
}

/** So many are signed in one transaction, so that other changes do not wait long. */
export const CHAINS_AT_ONCE = 50;

export async function signCut(
  deps: SigningDeps,
  { chain, count, hash }: ChainEnd,
  { madeAt, before }: CutTimes,
): Promise<Cut> {
  const end = { chain, count, hash };
  const checkpoint = await signCheckpoint(deps, { madeAt, before, chains: [end] }, 'cut');
  return { ...end, kid: checkpoint.key.kid, signed: JSON.stringify(checkpoint) };
}

/** Fails if the cut is not what a key of the installation has signed. */
export async function openCut(
  knownKeys: readonly PublicSigningKey[],
  { chain, count, hash, signed, kid: named }: Cut,
): Promise<CutTimes> {
  const { chains, madeAt, before, kid, isKeyKnown } = await openCheckpoint(knownKeys, signed, 'cut');
  const [end] = chains;
  const isThis = chains.length === 1 && end?.chain === chain && end.count === count && end.hash === hash;
  if (!isThis || before === undefined || kid !== named)
    throw new Failure('bad_parameter', 'It belongs to another cut.');
  if (!isKeyKnown)
    throw new Failure('conflict', `It was made with the key ${kid}, which this installation does not have.`);
  return { madeAt, before };
}

/**
 * Signs with the current key what other keys have signed, so that these can be deleted. What none of the installation's own
 * keys has signed stays as it is, and is found when the log is verified.
 */
export async function signCutsAgain(deps: CutDeps, currentKid: string): Promise<void> {
  let last = '';
  for (;;) {
    const chains = await deps.activityCuts.signedByOthers(currentKid, last, CHAINS_AT_ONCE);
    if (chains.length === 0) return;
    const at = deps.clock.now();
    await deps.changeInstallation({ actor: OPERATOR, at }, async (change) => {
      const own = await openOwnKeys(deps.secrets, change, at);
      for (const chain of chains) await signAgain(own, change.cuts, chain);
    });
    last = chains.at(-1) ?? '';
  }
}

/** The same within a change, for the cut of one chain. */
export async function signAgain(
  { signingKeys, ownKeys }: OwnSigningKeys,
  cuts: CutChanges,
  chain: Chain,
): Promise<void> {
  const cut = await cuts.find(chain);
  if (!cut) return;
  try {
    const times = await openCut(ownKeys, cut);
    await cuts.replace(await signCut({ signingKeys }, cut, times));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
