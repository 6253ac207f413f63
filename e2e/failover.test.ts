import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { PostgresServer } from '../packages/server/src/testing/postgres-server.ts';
import { load, openNodes } from './nodes.ts';
import { expectBack, expectBounded, keepWriting, readiness } from './trouble.ts';

/** The address that a cluster manager keeps pointing at the primary, whichever server that is. */
async function openMovableAddress(target: string) {
  let port = Number(new URL(target).port);
  const sockets = new Set<Socket>();
  const server = createServer((inbound) => {
    const outbound = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    moveTo: (url: string) => {
      port = Number(new URL(url).port);
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('when the primary dies and its replica takes over, the nodes follow and no acknowledged write is lost', async () => {
  const primary = await PostgresServer.start();
  onTestFinished(() => primary.stop());
  const replica = await primary.startReplica();
  onTestFinished(() => replica.stop());
  const admin = await primary.connect();
  admin.on('error', () => {});
  // A write is acknowledged when two servers have it: without this a failover may lose what only one had.
  await admin.query(`alter system set synchronous_standby_names = '*'`);
  await admin.query('select pg_reload_conf()');
  const address = await openMovableAddress(primary.url());
  const { databaseUrl, nodes, first, key, token } = await openNodes(primary, 2, {}, address.port);

  const writing = await keepWriting(databaseUrl);
  const asking = load(nodes, key.api_key, token);
  await asking.isWell();
  await primary.kill();
  await expect.poll(() => readiness(first)).toBe(503);
  const successor = await replica.connect();
  await successor.query('select pg_promote()');
  await successor.end();
  address.moveTo(replica.url());
  await expectBack(nodes);
  await writing.expectBack();
  expectBounded(await asking.stop());
  await writing.expectNothingLost();
});
