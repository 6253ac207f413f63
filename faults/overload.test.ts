import { expect, onTestFinished, test } from 'vitest';
import { exchange } from '../e2e/api.ts';
import { memoryOf } from '../e2e/flood.ts';
import type { Answered } from '../e2e/load.ts';
import { load, p99, withStatus } from '../e2e/load-process.ts';
import { openProgramOn } from '../e2e/nodes.ts';
import type { Serving } from '../e2e/program.ts';
import { createTestAccount } from '../e2e/test-account.ts';

const CLIENTS = 20_000;
const PAGE_LIMIT = 100;
const PAGES = CLIENTS / PAGE_LIMIT;
const ENGINES = ['sqlite', 'postgres'] as const;

/** Without the page cache, so that every page has to be read. */
const SETTINGS = { ROLLCALL_PAGE_CACHE_MB: '0', ROLLCALL_OVERLOAD: 'refuse', ROLLCALL_LOG_LEVEL: 'warn' };

/** The most memory that the service takes until the test is over. */
function watchMemory({ process: { pid = 0 } }: Serving): { mostMb: number } {
  const seen = { mostMb: memoryOf(pid) };
  const timer = setInterval(() => {
    seen.mostMb = Math.max(seen.mostMb, memoryOf(pid));
  }, 100);
  onTestFinished(() => clearInterval(timer));
  return seen;
}

/** The end of the last slice of a tenth of a second in which anything was refused, or slower than the bound. */
function recoveredAfterMs(answers: readonly Answered[], boundMs: number): number {
  const bad = answers.filter(({ status, tookMs }) => status !== 200 || tookMs > boundMs);
  return Math.max(0, ...bad.map(({ dueMs }) => (Math.floor(dueMs / 100) + 1) * 100));
}

const round = (value: number) => Math.round(value * 100) / 100;

function print(what: string, seen: Record<string, unknown>): void {
  process.stdout.write(`${what}: ${JSON.stringify(seen)}\n`);
}

test.each(ENGINES)(
  'on %s, twice the load: some is refused, the rest is quick, and it is over at once',
  async (engine) => {
    const program = await openProgramOn(engine, SETTINGS);
    const { key } = await createTestAccount(program, { clients: CLIENTS });
    const service = await program.serve(['--only', 'production']);
    const { access_token: token } = (await exchange(service.production, key.api_key)).data;
    const target = { address: service.production, token, pageLimit: PAGE_LIMIT, pages: PAGES };

    await load({ ...target, seconds: 3, connections: 16 });
    const capacity = (await load({ ...target, seconds: 5, connections: 16 })).length / 5;
    const alone = await load({ ...target, seconds: 20, connections: 200, perSecond: capacity * 0.2 });
    const memory = watchMemory(service);
    const during = await load({ ...target, seconds: 60, connections: 200, perSecond: capacity * 2 });
    const after = await load({ ...target, seconds: 5, connections: 200, perSecond: capacity * 0.2 });

    const [accepted, refused] = [withStatus(during, 200), withStatus(during, 503)];
    const figures = {
      capacityPerSecond: Math.round(capacity),
      p99AloneMs: round(p99(alone)),
      p99AcceptedMs: round(p99(accepted)),
      p99RefusedMs: round(p99(refused)),
      acceptedOfCapacity: round(accepted.length / 60 / capacity),
      refusedOfAll: round(refused.length / during.length),
      mostMb: Math.round(memory.mostMb),
      recoveredAfterMs: recoveredAfterMs(after, 3 * p99(alone)),
    };
    print(`${engine}, twice the load`, figures);
    expect(withStatus(alone, 200)).toHaveLength(alone.length);
    expect(during.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    expect(p99(accepted)).toBeLessThan(3 * p99(alone));
    expect(figures.recoveredAfterMs).toBeLessThanOrEqual(1000);
    expect(await service.stop()).toBe(0);
  },
);

test.each(ENGINES)('on %s, one key calls as often as it can: another key hardly notices', async (engine) => {
  const program = await openProgramOn(engine, { ...SETTINGS, ROLLCALL_RATE_LIMIT_API: '100/s,200' });
  const [noisy, quiet] = [
    await createTestAccount(program, { clients: CLIENTS }),
    await createTestAccount(program, { clients: CLIENTS, name: 'Other', email: 'other@firm.example' }),
  ];
  const service = await program.serve(['--only', 'production']);
  const tokenOf = async ({ key }: typeof noisy) =>
    (await exchange(service.production, key.api_key)).data.access_token as string;
  const target = { address: service.production, pageLimit: PAGE_LIMIT, pages: PAGES };
  const quietly = { ...target, token: await tokenOf(quiet), connections: 5, perSecond: 50, seconds: 5 };
  const noisily = { ...target, token: await tokenOf(noisy), connections: 50, seconds: 6, priority: 10 };

  const [alone, beside, noise]: Answered[][] = [[], [], []];
  for (let round = 0; round < 6; round++) {
    const first = await load(quietly);
    const [second, others] = await Promise.all([load(quietly), load(noisily)]);
    // The first round warms up.
    if (round === 0) continue;
    alone?.push(...first);
    beside?.push(...second);
    noise?.push(...others);
  }
  const figures = {
    p99AloneMs: round(p99(alone ?? [])),
    p99BesideMs: round(p99(beside ?? [])),
    noisyAccepted: withStatus(noise ?? [], 200).length,
    noisyRefused: withStatus(noise ?? [], 429).length,
  };
  print(`${engine}, one noisy key`, figures);
  for (const { status } of [...(alone ?? []), ...(beside ?? [])]) expect(status).toBe(200);
  expect(figures.p99BesideMs).toBeLessThan(2 * figures.p99AloneMs);
  expect(await service.stop()).toBe(0);
});
