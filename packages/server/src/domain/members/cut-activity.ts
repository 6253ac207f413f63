import { OPERATOR } from '../change.ts';
import { Failure } from '../failure.ts';
import { DAY_MS, formatTime } from '../time.ts';
import type { Chain } from './activity-chain.ts';
import { CHAINS_AT_ONCE, type Cut, type CutChanges, type CutDeps, openCut, signCut } from './activity-cut.ts';
import { ChainCheck, type StoredEntry } from './chain-check.ts';
import type { SigningDeps } from './checkpoint.ts';

/** What one transaction removes, so that other changes do not wait long. */
const ENTRIES_AT_ONCE = 2000;
const CHAINS_READ_AT_ONCE = 1000;

/**
 * Removes the entries of all days before the last `days`, until the signal is aborted. A chain is not cut where entries were
 * tampered with, so that this does not disappear; what was found there is returned.
 */
export async function cutActivity(deps: CutDeps, days: number, signal?: AbortSignal): Promise<string[]> {
  const before = (Math.floor(deps.clock.now() / DAY_MS) - days) * DAY_MS;
  const damaged: string[] = [];
  let last = '';
  for (;;) {
    const next = await deps.activityCuts.chainsAfter(last, CHAINS_READ_AT_ONCE);
    let chains = next.filter(({ firstAt }) => firstAt < before).map(({ chain }) => chain);
    while (chains.length > 0 && !signal?.aborted) {
      const { done, problems } = await cutSome(deps, chains, before);
      damaged.push(...problems);
      chains = chains.slice(done);
    }
    last = next.at(-1)?.chain ?? '';
    if (last === '' || signal?.aborted) return damaged;
  }
}

async function cutSome(
  deps: CutDeps,
  chains: readonly Chain[],
  before: number,
): Promise<{ done: number; problems: string[] }> {
  const at = deps.clock.now();
  return deps.changeInstallation({ actor: OPERATOR, at }, async (change) => {
    const outcome = { done: 0, problems: [] as string[] };
    let removed = 0;
    for (const chain of chains.slice(0, CHAINS_AT_ONCE)) {
      try {
        removed += await cutChain(deps, change.cuts, { chain, before, at });
      } catch (error) {
        if (!(error instanceof DamagedChain)) throw error;
        outcome.problems.push(error.message);
      }
      // It may have more of them.
      if (removed >= ENTRIES_AT_ONCE) break;
      outcome.done++;
    }
    const day = formatTime(before).slice(0, 10);
    if (removed > 0) change.recordInstallation('installation.activity-cut', `${removed} entries before ${day}`);
    return outcome;
  });
}

/** Returns how many entries were removed. */
async function cutChain(
  deps: CutDeps,
  cuts: CutChanges,
  { chain, before, at }: { chain: Chain; before: number; at: number },
): Promise<number> {
  const former = await cuts.find(chain);
  if (former) await requireSigned(deps, former);
  for (let max = ENTRIES_AT_ONCE; ; max *= 2) {
    const entries = await cuts.firstEntries(chain, max);
    const newer = entries.findIndex((entry) => entry.at >= before);
    const old = await wholeChanges(cuts, chain, newer === -1 ? entries : entries.slice(0, newer));
    const last = old.at(-1);
    if (last) {
      requireIntact(chain, former, old);
      await cuts.cut(await signCut(deps, { chain, count: last.number, hash: last.hash }, at));
      return old.length;
    }
    // The parts of one change may be so many that its end is not among these entries.
    if (newer !== -1 || entries.length < max) return 0;
  }
}

/** Without the parts of changes that the rest of the chain has parts of, too: these are shown as one. */
async function wholeChanges(
  cuts: CutChanges,
  chain: Chain,
  entries: readonly StoredEntry[],
): Promise<readonly StoredEntry[]> {
  const last = entries.at(-1);
  const partsOf = [...new Set(entries.flatMap(({ partOf }) => partOf ?? []))];
  if (!last || partsOf.length === 0) return entries;
  const continued = await cuts.continuedAfter(chain, last.number, partsOf);
  const first = entries.findIndex(({ partOf }) => partOf !== null && continued.has(partOf));
  return first === -1 ? entries : wholeChanges(cuts, chain, entries.slice(0, first));
}

/** Entries that were tampered with are not removed, because nobody could find out afterwards. */
class DamagedChain extends Error {}

function requireIntact(chain: Chain, former: Cut | undefined, entries: readonly StoredEntry[]): void {
  const check = new ChainCheck(chain, { start: former });
  for (const entry of entries) check.next(entry);
  const [problem] = check.problems;
  if (problem) throw new DamagedChain(`${chain}: entry ${problem.entry} ${problem.problem}`);
}

async function requireSigned({ signingKeys }: SigningDeps, cut: Cut): Promise<void> {
  try {
    await openCut(signingKeys.published(), cut);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new DamagedChain(`${cut.chain}: ${error.message}`, { cause: error });
  }
}
