import { expect, test } from 'vitest';
import { exchange } from '../e2e/api.ts';
import { ApiWriters } from '../e2e/api-writers.ts';
import { asAdmin } from '../e2e/nodes.ts';
import { NO_RATE_LIMITS, Program, type Serving } from '../e2e/program.ts';
import { expectOkOrUnavailable, expectReady } from '../e2e/recovery.ts';
import { createTestAccount } from '../e2e/test-account.ts';
import { PatroniCluster } from './patroni-cluster.ts';

/** How often the primary changes in each way. */
const CHANGES = Number(process.env.ROLLCALL_TEST_FAILOVERS ?? 3);

async function openNodesOn(cluster: PatroniCluster) {
  const program = new Program({ ...NO_RATE_LIMITS, ROLLCALL_DATABASE_URL: cluster.url() });
  const nodes: Serving[] = [];
  for (let node = 0; node < 2; node++) nodes.push(await program.serve(['--only', 'production']));
  const addresses = nodes.map(({ production }) => production);
  const { key } = await createTestAccount(program, { clients: 20, scopes: ['clients:read', 'clients:write'] });
  const { data } = await exchange(addresses[0] ?? '', key.api_key);
  return { program, nodes, addresses, token: data.access_token };
}

async function epochOf(cluster: PatroniCluster): Promise<string> {
  const admin = await asAdmin(cluster.url());
  return (await admin.query<{ epoch: string }>('select epoch from installation')).rows[0]?.epoch ?? '';
}

test.for([
  { isSynchronous: true, promise: 'loses no acknowledged write' },
  { isSynchronous: false, promise: 'stays consistent, whatever the server has lost' },
])(
  'when Patroni changes the primary under load, Rollcall follows by itself and $promise (synchronous_mode: $isSynchronous)',
  async ({ isSynchronous }, context) => {
    const cluster = await PatroniCluster.start(context, isSynchronous);
    const { program, nodes, addresses, token } = await openNodesOn(cluster);
    const writers = new ApiWriters(addresses, token).start();
    const ways = Array.from({ length: CHANGES }, () => ['switchover', 'SIGKILL'] as const).flat();
    for (const way of ways) {
      await writers.acknowledgesMore();
      const [before, epoch] = [await cluster.primary(), await epochOf(cluster)];
      const acknowledged = writers.acknowledged.length;
      if (way === 'switchover') cluster.switchOver();
      else cluster.killMember(before ?? '');
      await expect.poll(() => cluster.primary()).toSatisfy((now) => now !== undefined && now !== before);
      await expectReady(nodes);
      await writers.acknowledgesMore();
      process.stdout.write(`${way}: no write for ${writers.longestPauseMs(acknowledged)} ms\n`);
      expect(await epochOf(cluster)).not.toBe(epoch);
      if (way === 'SIGKILL') cluster.startMember(before ?? '');
      await cluster.isComplete(isSynchronous);
    }
    await writers.stop();
    expectOkOrUnavailable(
      writers.answers.filter(({ status }) => status !== 409),
      201,
    );
    const lost = await writers.lost(addresses[0] ?? '');
    process.stdout.write(`${writers.acknowledged.length} writes acknowledged, ${lost.length} lost\n`);
    if (isSynchronous) expect(lost).toEqual([]);
    for (const node of nodes) expect(await node.stop()).toBe(0);
    expect(await program.json(['doctor'])).toMatchObject({ ok: true });
  },
);
