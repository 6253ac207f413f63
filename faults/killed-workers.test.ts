import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exchange } from '../e2e/api.ts';
import { ApiWriters } from '../e2e/api-writers.ts';
import { Caller } from '../e2e/callers.ts';
import { openProgramOn } from '../e2e/nodes.ts';
import { childrenOf, isAnsweredBy, workersOf } from '../e2e/processes.ts';
import { createTestAccount } from '../e2e/test-account.ts';

const KILLS = 20;
const CALLERS = 16;
const REPLACED_WITHIN_MS = 30_000;

/** Opens connections until one of them is answered by a process that did not serve before. Returns how long that took. */
async function untilAnsweredByAnother(address: string, primary: number, known: ReadonlySet<number>): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const others = childrenOf(primary).filter((pid) => !known.has(pid));
    const isReplaced = others.length > 0 && (await isAnsweredBy(address, others));
    const elapsedMs = performance.now() - startedAt;
    if (isReplaced) return elapsedMs;
    if (elapsedMs > REPLACED_WITHIN_MS) throw new Error('no other worker has answered');
    await sleep(5);
  }
}

test.each(['sqlite', 'postgres'] as const)(
  'on %s, twenty workers are killed under load: each is replaced, and only requests in its hands are lost',
  async (engine) => {
    const program = await openProgramOn(engine, { ROLLCALL_WORKERS: '2' });
    const { key } = await createTestAccount(program, { clients: 1000, scopes: ['clients:read', 'clients:write'] });
    const service = await program.serve(['--only', 'production']);
    const primary = service.process.pid ?? 0;
    const token = (await exchange(service.production, key.api_key)).data.access_token;
    const callers = Array.from({ length: CALLERS }, () =>
      new Caller(`${service.production}/api/v1/clients-list/`, { authorization: `Bearer ${token}` }).start(),
    );
    const writers = new ApiWriters([service.production], token).start();

    const waits: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      await writers.acknowledgesMore(20);
      const workers = workersOf(primary);
      process.kill(workers[kill % workers.length] ?? 0, 'SIGKILL');
      waits.push(Math.round(await untilAnsweredByAnother(service.production, primary, new Set(workers))));
    }
    await writers.stop();
    for (const caller of callers) await caller.stop();
    const lost = callers.map((caller) => caller.lost.length);
    const refused = callers.flatMap(({ answers }) => answers.filter(({ status }) => status !== 200));
    const answers = callers.reduce((sum, caller) => sum + caller.answers.length, 0);
    const figures = {
      kills: KILLS,
      answers,
      writes: writers.acknowledged.length,
      cutOff: lost.reduce((sum, each) => sum + each, 0),
      slowestReplacementMs: Math.max(...waits),
      medianReplacementMs: [...waits].sort((a, b) => a - b)[KILLS / 2],
    };
    process.stdout.write(`${engine}, killed workers: ${JSON.stringify(figures)}\n`);

    // A caller has one connection, and one request on it.
    for (const each of lost) expect(each).toBeLessThanOrEqual(KILLS);
    expect(refused).toEqual([]);
    await writers.expectNothingLost(service.production);
    expect(figures.medianReplacementMs).toBeLessThan(1000);
    expect(await service.stop()).toBe(0);
  },
);
