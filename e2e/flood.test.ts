import { expect, test } from 'vitest';
import { exchange, list } from './api.ts';
import { flood, memoryOf } from './flood.ts';
import { NO_RATE_LIMITS, Program } from './program.ts';
import { createTestAccount } from './test-account.ts';

test('callers that pipeline requests and read nothing take little memory, and others are answered', async () => {
  const program = new Program(NO_RATE_LIMITS);
  const { api_key } = (await createTestAccount(program, { clients: 1000 })).key;
  const service = await program.serve();
  const token = (await exchange(service.production, api_key)).data.access_token;
  const pid = service.process.pid ?? 0;
  expect(await list(service.production, token, { pageLimit: 1000 })).toMatchObject({ status: 200 });
  const before = memoryOf(pid);

  const connections = flood(service.production, token);
  let most = before;
  for (let call = 0; call < 40; call++) {
    expect(await list(service.production, token)).toMatchObject({ status: 200, data: { total_count: 1000 } });
    most = Math.max(most, memoryOf(pid));
  }
  expect(most - before).toBeLessThan(150);
  for (const socket of connections) socket.destroy();
  expect(await service.stop()).toBe(0);
});
