import { expect, test } from 'vitest';
import { exchange, list } from './api.ts';
import { Program } from './program.ts';
import { createTestAccount, OWNER } from './test-account.ts';

const WHERE = ['--account', OWNER, '--environment', 'production'];

interface Key {
  key_id: string;
  api_key: string;
  secrets: { number: number; preview: string; ends_at: string | null }[];
}

async function statusOf(address: string, secret: string): Promise<number> {
  const { data } = await exchange(address, secret);
  return (await list(address, data.access_token)).status;
}

test('a key is created with everything, shown, changed, limited, rolled, and its old secret ended, while the service runs', async () => {
  const program = new Program();
  await createTestAccount(program);
  const service = await program.serve();
  const created = await program.json<Key>([
    ...['key', 'create', ...WHERE, '--name', 'billing', '--scope', 'clients:read,clients:write'],
    ...[
      '--expires',
      '2099-01-31',
      '--allow',
      '127.0.0.0/8,2001:db8::/32',
      '--note',
      'for the finance team',
      '--limit',
      '500/s,1000',
    ],
  ]);
  expect(created).toMatchObject({
    scopes: ['clients:read', 'clients:write'],
    expires_at: '2099-01-31T00:00:00.000Z',
    allowed_networks: ['127.0.0.0/8', '2001:db8::/32'],
    note: 'for the finance team',
    rate_limit: '500/s,1000',
  });
  const keyId = created.key_id;
  const first = (await exchange(service.production, created.api_key)).data.access_token;
  const statusOfFirst = async () => (await list(service.production, first)).status;
  expect(await statusOfFirst()).toBe(200);

  const rolled = await program.json<Key>(['key', 'roll', keyId, '--overlap', '7d']);
  expect(rolled).toMatchObject({ key_id: keyId, api_key: expect.stringMatching(/^rc_production_/) });
  expect(rolled.secrets.map(({ number }) => number)).toEqual([2, 1]);
  const state = async () => (await program.run(['key', 'list', '--account', OWNER])).stdout;
  expect(await state()).toMatch(/ valid until 2099-01-31T00:00:00\.000Z, rolling until \d{4}-\S+Z$/m);
  expect(await statusOf(service.production, rolled.api_key)).toBe(200);
  expect(await statusOfFirst()).toBe(200);
  await program.json(['key', 'end-old-secret', keyId]);
  await expect.poll(statusOfFirst, { timeout: 10_000 }).toBe(401);
  expect(await state()).not.toContain('rolling');

  await program.json(['key', 'update', keyId, '--allow', '10.0.0.0/8', '--name', 'invoices', '--expires', 'never']);
  const second = (secret: string) => exchange(service.production, secret);
  expect((await second(rolled.api_key)).message).toBe(
    'Invalid API key: it may not be used from this address, 127.0.0.1.',
  );
  expect(await program.json(['key', 'limit', keyId, 'default'])).toMatchObject({ rate_limit: null });
  expect(await program.json(['key', 'limit', keyId, '0'])).toMatchObject({ rate_limit: '0' });

  const shown = await program.run(['key', 'show', keyId]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/^Name +invoices$/m);
  expect(shown.stdout).toMatch(/^Allowed addresses +10\.0\.0\.0\/8$/m);
  expect(shown.stdout).toMatch(/^Rate limit +none$/m);
  expect(shown.stdout).toMatch(/^Secret 2 +rc_production_.+, current, since /m);
  expect(shown.stdout).toMatch(/^Secret 1 +rc_production_.+, ended /m);
  expect(shown.stdout).not.toContain(rolled.api_key);
  const listed = await program.run(['key', 'list', '--account', OWNER]);
  expect(listed.stdout).toMatch(/KEY ID +ENVIRONMENT +NAME +KEY +SCOPES +LAST USED +STATE/);
  expect(listed.stdout).toContain('clients:read,clients:write');
  expect(await service.stop()).toBe(0);
  expect(await program.json(['key', 'show', keyId]), 'the calls are written when the service stops').toMatchObject({
    calls_24_hours: expect.any(Number),
    last_used_from: '127.0.0.1',
  });
});

test.each([
  [['key', 'update', 'KEY'], 2, 'Say what to change: --name, --note, --allow, --expires or --limit.'],
  [['key', 'update', 'KEY', '--allow', '10.0.0.0/99'], 1, '--allow: "10.0.0.0/99" is not an IP address'],
  [['key', 'update', 'KEY', '--expires', '2020-01-01'], 1, '--expires must be in the future.'],
  [['key', 'create', ...WHERE, '--name', 'x', '--expires', '2020-01-01'], 1, '--expires must be in the future.'],
  [
    ['key', 'create', ...WHERE, '--name', 'x', '--limit', 'default'],
    2,
    'it is as many as the rate), or 0 for no limit.\n',
  ],
  [['key', 'update', 'KEY', '--limit', 'fast'], 2, 'or 0 for no limit, or default.'],
  [['key', 'update', 'KEY', '--expires', 'soon'], 2, 'It must be a date such as 2027-01-31'],
  [['key', 'limit', 'KEY', 'fast'], 2, 'It must be a rate and a burst such as 100/s,200'],
  [['key', 'roll', 'KEY', '--overlap', '31d'], 2, 'It must be 0, or a number and s, m, h or d'],
  [['key', 'roll', 'KEY', '--overlap', 'x'], 2, 'It must be 0, or a number and s, m, h or d'],
  [['key', 'end-old-secret', 'KEY'], 1, 'This API key has no old secret that still works.'],
  [
    ['key', 'show', 'key_unknown'],
    1,
    'There is no API key with the id key_unknown. `rollcall key list --account ACCOUNT` shows the keys of an account.',
  ],
  [['key', 'create', ...WHERE, '--name', 'x', '--scope', 'all'], 2, 'The scopes are clients:read and clients:write'],
])('%j is refused with a message that says what to do', async (args, code, message) => {
  const program = new Program();
  const { key } = await createTestAccount(program);
  const outcome = await program.run(args.map((arg) => (arg === 'KEY' ? key.key_id : arg)));
  expect(outcome).toMatchObject({ code, stdout: '' });
  expect(outcome.stderr).toContain(message);
  // After wrong usage, a second line names the help.
  expect(outcome.stderr.trim().split('\n')).toHaveLength(code);
});

test('creating and rolling a key use the same words for its secret, and the help says what may be left out', async () => {
  const program = new Program();
  const { key } = await createTestAccount(program);
  const created = await program.run(['key', 'create', ...WHERE, '--name', 'x', '--expires', '2099-01-31T12:00']);
  expect(created.stdout).toMatch(/^Created .+\. Its secret, which is shown only once:\nrc_production_\w+\n$/);
  const [id = ''] = /key_\w+/.exec(created.stdout) ?? [];
  expect(await program.json(['key', 'show', id]), 'UTC').toMatchObject({ expires_at: '2099-01-31T12:00:00.000Z' });
  const rolled = await program.run(['key', 'roll', key.key_id]);
  expect(rolled.stdout).toMatch(/ Its new secret, which is shown only once:\nrc_production_\w+\n/);
  const help = (await program.run(['key', 'update', '--help'])).stdout.replace(/\s+/g, ' ');
  expect(help).toContain('in UTC unless it has an offset');
  expect(help).toContain('without a burst, it is as many as the rate');
  expect(help).toContain('default for the limit that all keys have');
});
