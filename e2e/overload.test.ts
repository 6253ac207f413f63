import { expect, test } from 'vitest';
import { exchange, list } from './api.ts';
import { load, withStatus } from './load-process.ts';
import { NO_RATE_LIMITS, Program } from './program.ts';
import { createTestAccount } from './test-account.ts';

async function untilRefused(address: string, token: string): Promise<Response> {
  for (;;) {
    const response = await fetch(`${address}/api/v1/clients-list/`, { headers: { Authorization: `Bearer ${token}` } });
    if (response.status === 503) return response;
    await response.arrayBuffer();
  }
}

test('when far more requests arrive than can be answered, some are refused, and all are answered afterwards', async () => {
  const program = new Program({
    ...NO_RATE_LIMITS,
    ROLLCALL_OVERLOAD: 'refuse',
    ROLLCALL_PAGE_CACHE_MB: '0',
  });
  const { key } = await createTestAccount(program, { clients: 2000 });
  const service = await program.serve(['--only', 'production']);
  const { access_token: token } = (await exchange(service.production, key.api_key)).data;

  const others = { address: service.production, token, pageLimit: 500, pages: 4 };
  const loading = load({ ...others, connections: 400, seconds: 4 });
  const refusal = await untilRefused(service.production, token);
  expect((await fetch(`${service.production}/healthz`)).status).toBe(200);
  expect(refusal.headers.get('retry-after')).toBe('1');
  expect(await refusal.json()).toEqual({
    status_code: 503,
    message: 'Service temporarily unavailable: more requests arrive than can be answered.',
    data: null,
  });
  const answers = await loading;

  const [accepted, refused] = [withStatus(answers, 200), withStatus(answers, 503)];
  expect(accepted.length).toBeGreaterThan(0);
  expect(refused.length).toBeGreaterThan(0);
  expect(accepted.length + refused.length).toBe(answers.length);
  for (let each = 0; each < 20; each++) expect((await list(service.production, token)).status).toBe(200);
});
