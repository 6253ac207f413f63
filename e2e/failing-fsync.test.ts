import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type TestContext, test } from 'vitest';
import { exchange } from './api.ts';
import { ApiWriters } from './api-writers.ts';
import { timed } from './nodes.ts';
import { NO_RATE_LIMITS, Program, type Serving } from './program.ts';
import { createTestAccount } from './test-account.ts';

/** How often fsync begins to fail. `npm run faults` does it more often. */
const FAULTS = Number(process.env.ROLLCALL_TEST_FSYNC_FAULTS ?? 2);

const SOURCE = fileURLToPath(new URL('failing-fsync.c', import.meta.url));

/** A program whose calls of fsync fail while the fault is there. */
function programWithFaultyDisk({ skip }: TestContext) {
  const program = new Program({ ...NO_RATE_LIMITS });
  const library = join(program.folder, 'failing-fsync.so');
  if (process.platform !== 'linux') skip('a library can be preloaded like this on Linux only');
  const { error, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, SOURCE], { encoding: 'utf8' });
  if (error) skip('a C compiler is not installed here');
  expect(stderr).toBe('');
  const fault = join(program.folder, 'fault');
  Object.assign(program.environment, { LD_PRELOAD: library, FAILING_FSYNC: fault });
  return {
    program,
    beginFault: () => writeFileSync(fault, ''),
    endFault: () => rmSync(fault),
  };
}

test('a write is not acknowledged while fsync fails, reads continue, and what was acknowledged survives SIGKILL', async (context) => {
  const { program, beginFault, endFault } = programWithFaultyDisk(context);
  let node: Serving = await program.serve(['--only', 'production']);
  const { production } = node;
  program.environment.ROLLCALL_PRODUCTION_PORT = new URL(production).port;
  const { key } = await createTestAccount(program, { clients: 20, scopes: ['clients:read', 'clients:write'] });
  const { data } = await exchange(production, key.api_key);
  const writers = new ApiWriters([production], data.access_token).start();

  for (let fault = 0; fault < FAULTS; fault++) {
    await writers.acknowledgesMore();
    beginFault();
    await writers.isRefused();
    expect(await timed(`${production}/readyz?write`)).toMatchObject({
      status: 503,
      body: { message: 'Service temporarily unavailable: the disk of the database reports an I/O error.' },
    });
    // Everything that was committed before the fault has been answered by now.
    const acknowledged = writers.acknowledged.length;
    const read = await timed(`${production}/api/v1/clients-list/`, { authorization: `Bearer ${data.access_token}` });
    expect(read.status).toBe(200);
    await writers.isRefused();
    expect(writers.acknowledged).toHaveLength(acknowledged);
    if (fault % 2 === 0) {
      endFault();
      continue;
    }
    await node.stop('SIGKILL');
    endFault();
    node = await program.serve(['--only', 'production']);
  }
  await writers.acknowledgesMore();
  await writers.stop();
  await writers.expectNothingLost(production);
  const refused = writers.answers.filter(({ status }) => status === 503);
  for (const { retryAfter } of refused) expect(retryAfter).toBe('1');
  const { length } = writers.acknowledged;
  process.stdout.write(`${FAULTS} faults of fsync: ${length} writes acknowledged, ${refused.length} refused\n`);
  expect(await node.stop()).toBe(0);
  expect(await program.json(['doctor'])).toMatchObject({ ok: true });
});
