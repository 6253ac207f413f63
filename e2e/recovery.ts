import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { openStore } from '../packages/server/src/store/open-store.ts';
import { aClient, addClients } from '../packages/server/src/testing/builders.ts';
import { type TimedResponse, timed } from './nodes.ts';
import type { Serving } from './program.ts';
import { OWNER } from './test-account.ts';

/** A refusal must come within two seconds. The rest is a margin for a busy machine. */
const REFUSED_WITHIN_MS = 2000 + 10_000;

/** Every response was a success, or a 503 that came in time, in the envelope and with `Retry-After`. Some were successes. */
export function expectOkOrUnavailable(answers: readonly TimedResponse[], success = 200): void {
  expect(answers.map(({ status }) => status)).toContain(success);
  for (const { status, ms, retryAfter, body } of answers) {
    expect([success, 503]).toContain(status);
    expect(body.status_code).toBe(status);
    if (status === success) continue;
    expect(ms).toBeLessThan(REFUSED_WITHIN_MS);
    expect(retryAfter).toBe('1');
    expect(body).toEqual({ status_code: 503, message: expect.stringMatching(/^Service temporarily un/), data: null });
  }
}

export async function readiness({ production }: Serving): Promise<number> {
  return (await timed(`${production}/readyz`)).status;
}

export async function expectReady(nodes: readonly Serving[]): Promise<void> {
  for (const node of nodes) await expect.poll(() => readiness(node)).toBe(200);
}

/** Adds clients continuously, and remembers those that were acknowledged. */
export async function keepWriting(databaseUrl: string) {
  const store = openStore(databaseUrl, { serving: true });
  onTestFinished(() => store.close());
  const [account] = await store.accounts.byOwnerEmail(OWNER);
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'production');
  const acknowledged: string[] = [];
  let writing = true;
  const write = async () => {
    while (writing) {
      const client = aClient();
      try {
        await addClients(store, workspaceId, [client]);
        acknowledged.push(client.referenceId);
      } catch (error) {
        expect(error).toMatchObject({ code: 'unavailable' });
        await sleep(20);
      }
    }
  };
  const writers = Promise.all([write(), write(), write()]);

  return {
    acknowledged,
    /** Waits until a write succeeds again. */
    async expectWritable(): Promise<void> {
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before);
    },
    async expectNothingLost(): Promise<void> {
      writing = false;
      await writers;
      const stored = new Set<string>();
      for await (const clients of store.clients.readAll(workspaceId, {})) {
        for (const client of clients) stored.add(client.referenceId);
      }
      expect(acknowledged).not.toEqual([]);
      expect(acknowledged.filter((reference) => !stored.has(reference))).toEqual([]);
      expect((await store.checkConsistency()).problems).toEqual([]);
    },
  };
}
