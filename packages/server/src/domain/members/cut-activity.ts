import { OPERATOR } from '../change.ts';
import { type OwnSigningKeys, openOwnKeys } from '../credentials/index.ts';
import { Failure } from '../failure.ts';
import { DAY_MS, formatTime } from '../time.ts';
import type { Chain } from './activity-chain.ts';
import { CHAINS_AT_ONCE, type Cut, type CutChanges, type CutDeps, openCut, signCut } from './activity-cut.ts';
import { ChainCheck, type StoredEntry } from './chain-check.ts';

/** What one transaction removes, so that other changes do not wait long. */
const ENTRIES_AT_ONCE = 2000;
/** Usually, the entries of one day are few. */
const ENTRIES_READ_FIRST = 100;
const CHAINS_READ_AT_ONCE = 1000;

export interface CutOutcome {
  /** How many entries. */
  removed: number;
  problems: string[];
}

/**
 * Removes the entries of all days before the last `days`, until the signal is aborted. A chain is not cut where entries were
 * tampered with, so that this does not disappear; what was found there is returned.
 */
export async function cutActivity(deps: CutDeps, days: number, signal?: AbortSignal): Promise<CutOutcome> {
  const before = (Math.floor(deps.clock.now() / DAY_MS) - days) * DAY_MS;
  const outcome: CutOutcome = { removed: 0, problems: [] };
  let last = '';
  for (;;) {
    const next = await deps.activityCuts.chainsAfter(last, CHAINS_READ_AT_ONCE);
    let chains = next.filter(({ firstAt }) => firstAt < before).map(({ chain }) => chain);
    while (chains.length > 0 && !signal?.aborted) {
      const { done, removed, problems } = await cutSome(deps, chains, before);
      outcome.removed += removed;
      outcome.problems.push(...problems);
      chains = chains.slice(done);
    }
    last = next.at(-1)?.chain ?? '';
    if (last === '' || signal?.aborted) return outcome;
  }
}

/** Returns how many of the chains are done, of which at least one is shorter now. */
async function cutSome(
  deps: CutDeps,
  chains: readonly Chain[],
  before: number,
): Promise<CutOutcome & { done: number }> {
  const at = deps.clock.now();
  return deps.changeInstallation({ actor: OPERATOR, at }, async (change) => {
    const outcome = { done: 0, removed: 0, problems: [] as string[] };
    // Those of this moment: keys may have been replaced while this waited for its turn.
    const own = await openOwnKeys(deps.secrets, change, at);
    for (const chain of chains.slice(0, CHAINS_AT_ONCE)) {
      const cutting = new Cutting(change.cuts, own, { chain, before, at });
      try {
        const { removed, isDone } = await cutting.run();
        outcome.removed += removed;
        if (!isDone) break;
      } catch (error) {
        if (!(error instanceof DamagedChain)) throw error;
        outcome.problems.push(error.message);
      }
      outcome.done++;
      if (outcome.removed >= ENTRIES_AT_ONCE) break;
    }
    const day = formatTime(before).slice(0, 10);
    if (outcome.removed > 0)
      change.recordInstallation('installation.activity-cut', `${outcome.removed} entries before ${day}`);
    return outcome;
  });
}

/** As many as one transaction should remove, and then more only if they belong together. */
function moreThan(max: number): number {
  return max < ENTRIES_AT_ONCE ? Math.min(max * 4, ENTRIES_AT_ONCE) : max * 2;
}

/** Entries that were tampered with are not removed, because nobody could find out afterwards. */
class DamagedChain extends Error {}

/** The removal of the old entries of one chain. */
class Cutting {
  readonly #cuts: CutChanges;
  readonly #own: OwnSigningKeys;
  readonly #chain: Chain;
  readonly #before: number;
  readonly #at: number;

  constructor(
    cuts: CutChanges,
    own: OwnSigningKeys,
    { chain, before, at }: { chain: Chain; before: number; at: number },
  ) {
    this.#cuts = cuts;
    this.#own = own;
    this.#chain = chain;
    this.#before = before;
    this.#at = at;
  }

  async run(): Promise<{ removed: number; isDone: boolean }> {
    const former = await this.#cuts.find(this.#chain);
    if (former) await this.#requireSigned(former);
    for (let max = ENTRIES_READ_FIRST; ; max = moreThan(max)) {
      const entries = await this.#cuts.firstEntries(this.#chain, max);
      const newer = entries.findIndex(({ at }) => at >= this.#before);
      const isDone = newer !== -1 || entries.length < max;
      if (!isDone && max < ENTRIES_AT_ONCE) continue;
      const old = await this.#wholeChanges(newer === -1 ? entries : entries.slice(0, newer));
      const last = old.at(-1);
      // The parts of one change may be so many that its end is not among these entries.
      if (!last && !isDone) continue;
      if (!last) return { removed: 0, isDone };
      await this.#requireIntact(former, old);
      const end = { chain: this.#chain, count: last.number, hash: last.hash };
      await this.#cuts.cut(await signCut(this.#own, end, { madeAt: this.#at, before: this.#before }));
      return { removed: old.length, isDone };
    }
  }

  /** Without the parts of changes that the rest of the chain has parts of, too: these are shown as one. */
  async #wholeChanges(entries: readonly StoredEntry[]): Promise<readonly StoredEntry[]> {
    const last = entries.at(-1);
    const partsOf = [...new Set(entries.flatMap(({ partOf }) => partOf ?? []))];
    if (!last || partsOf.length === 0) return entries;
    const continued = await this.#cuts.continuedAfter(this.#chain, last.number, partsOf);
    const first = entries.findIndex(({ partOf }) => partOf !== null && continued.has(partOf));
    return first === -1 ? entries : this.#wholeChanges(entries.slice(0, first));
  }

  /** As `verifyActivity` would check them. */
  async #requireIntact(former: Cut | undefined, entries: readonly StoredEntry[]): Promise<void> {
    const accountId = await this.#cuts.ownerOf(this.#chain);
    if (accountId === undefined) throw new DamagedChain(`${this.#chain}: the chain belongs to nothing`);
    const check = new ChainCheck(this.#chain, { start: former, accountId });
    for (const entry of entries) check.next(entry);
    const without = [...check.withoutDetails.keys()];
    const erased = await this.#cuts.erasedAfter(this.#chain, entries.at(-1)?.number ?? 0, without);
    check.forgive(erased);
    const [problem] = check.end();
    if (problem) throw new DamagedChain(`${this.#chain}: entry ${problem.entry} ${problem.problem}`);
  }

  async #requireSigned(cut: Cut): Promise<void> {
    try {
      await openCut(this.#own.ownKeys, cut);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new DamagedChain(`${cut.chain}: ${error.message}`, { cause: error });
    }
  }
}
