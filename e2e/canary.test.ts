import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { codeAt } from '../packages/server/src/domain/members/second-factor.ts';
import { Browser } from '../packages/server/src/testing/test-console.ts';
import { newDatabase } from '../packages/server/src/testing/test-store.ts';
import { exchange } from './api.ts';
import { Program, type Serving } from './program.ts';
import { createTestAccount, OWNER, PASSWORD } from './test-account.ts';
import { TraceCollector } from './trace-collector.ts';

/** Personal data of clients, which belongs in the activity log only as the details of their own entries. */
const CLIENT = { email: 'canary-email@mail.example', client_name: 'Canary-Name', external_id: 'CANARY-EXTERNAL' };
const REASON = 'canary-reason';
const PERSONAL = ['canary-email', 'Canary-Name', 'CANARY-EXTERNAL', REASON, 'canary-rejected', 'Canary-Renamed'];
const GUESSES = ['canary-guess-of-a-password', 'canary-stranger', '918273'];
const WHERE = ['--account', OWNER, '--environment', 'production'];

/** Does what members, programs and the operator do, rightly and wrongly, and returns every secret that was used on the way. */
async function useEverything(program: Program, service: Serving, apiKey: string) {
  const secrets = [PASSWORD, apiKey, apiKey.slice(12)];
  const callApi = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const answer = await fetch(service.production + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { data } = (await answer.json()) as { data: Record<string, unknown> | null };
    return { status: answer.status, data };
  };
  const token = (await exchange(service.production, apiKey)).data.access_token;
  secrets.push(token, token.split('.')[2] ?? '');
  const bearer = { authorization: `Bearer ${token}` };
  const client = { ...CLIENT, client_type: 'individual', group_name: 'Partners' };
  const added = await callApi('POST', '/api/v1/clients/', { ...bearer, 'idempotency-key': 'canary-key' }, client);
  expect(added.status).toBe(201);
  const path = `/api/v1/clients/${added.data?.reference_id}/`;
  await callApi('POST', '/api/v1/clients/', bearer, client);
  await callApi('POST', '/api/v1/clients/', bearer, { ...client, client_name: ['Canary-Name'], email: 'canary-email' });
  const changed = { client_name: 'Canary-Renamed', request_status: 'declined', reason: REASON };
  expect((await callApi('PATCH', path, bearer, changed)).status).toBe(200);
  await callApi('GET', `/api/v1/clients-list/?client_email=${CLIENT.email}&external_id=CANARY-EXTERNAL`, bearer);
  await callApi('GET', `/api/v1/clients-list/?canary-email=${CLIENT.email}`, bearer);
  await callApi('GET', `/api/v1/canary-email?key=${apiKey}`, {
    'api-key': `${apiKey}x`,
    authorization: `Bearer ${token}x`,
  });

  const owner = new Browser(service.dashboard);
  await new Browser(service.dashboard).signIn(OWNER, 'canary-guess-of-a-password');
  await new Browser(service.dashboard).signIn('canary-stranger@firm.example', 'canary-guess-of-a-password');
  await owner.signIn(OWNER, PASSWORD);
  secrets.push(owner.cookie?.split('=')[1] ?? '', owner.deviceCookie?.split('=')[1] ?? '');
  const offer = await owner.post('/console/profile/second-factor');
  const seed = String(offer.body.data?.secret);
  const code = codeAt(seed, Date.now());
  const confirmed = await owner.send('PUT', '/console/profile/second-factor', { code });
  const codes = confirmed.body.data?.recovery_codes as string[];
  secrets.push(seed, ...codes, owner.cookie?.split('=')[1] ?? '');
  await new Browser(service.dashboard).signIn(OWNER, PASSWORD, '918273');
  await new Browser(service.dashboard).signIn(OWNER, PASSWORD, codes[0]);
  const invited = await owner.post('/console/invitations', { email: 'colleague@firm.example', role: 'viewer' });
  const invitation = String(invited.body.data?.token);
  secrets.push(invitation);
  await new Browser(service.dashboard).get(`/console/invitation?token=${invitation}`);
  await new Browser(service.dashboard).get(`/invitation/${invitation}`);
  const reset = await program.json<{ link: string }>(['member', 'reset', OWNER]);
  secrets.push(reset.link.split('#')[1] ?? '');
  const made = await program.json<{ api_key: string }>(['key', 'create', ...WHERE, '--name', 'canary']);
  secrets.push(made.api_key);

  const file = join(program.folder, 'clients.csv');
  writeFileSync(
    file,
    `email,client_name,client_type,group_name\n${CLIENT.email},Canary-Name,canary-rejected,Partners\n`,
  );
  await program.run(['import', file, ...WHERE]);
  await owner.import('production', `email,client_name,client_type,group_name\ncanary-rejected,x,individual,Partners\n`);
  return { secrets, reference: String(added.data?.reference_id) };
}

test('no secret and no personal data is in the log, however verbose, in metrics and in traces, and in the activity log only where it belongs', async () => {
  const collector = await TraceCollector.open();
  const program = new Program({
    ROLLCALL_DATABASE_URL: await newDatabase(inject('engine')),
    ROLLCALL_LOG_LEVEL: 'trace',
    ROLLCALL_METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  const { key } = await createTestAccount(program, { scopes: ['clients:read', 'clients:write'] });
  const service = await program.serve();
  const { secrets, reference } = await useEverything(program, service, key.api_key);
  expect(secrets.every((secret) => secret.length >= 6)).toBe(true);
  const metrics = await (await fetch(JSON.parse(service.output).metrics)).text();
  expect(await service.stop()).toBe(0);

  const log = service.log();
  const traces = collector.bodies.join('\n');
  expect(log.split('\n').length).toBeGreaterThan(20);
  expect(metrics).toContain('/api/v1/clients/:reference_id');
  expect(traces).toContain('/api/v1/clients/:reference_id');
  for (const [where, text] of Object.entries({ log, metrics, traces })) {
    for (const planted of [...secrets, ...PERSONAL, ...GUESSES, OWNER, 'colleague@']) {
      expect(text.includes(planted), `${where} has ${planted}`).toBe(false);
    }
  }

  const exported = async () => (await program.run(['audit', 'export'])).stdout.trim().split('\n');
  const lines = await exported();
  for (const planted of [...secrets, ...GUESSES, 'canary-rejected']) {
    expect(
      lines.filter((line) => line.includes(planted)),
      `the activity log has ${planted}`,
    ).toEqual([]);
  }
  const personal = lines.filter((line) => PERSONAL.some((planted) => line.includes(planted)));
  expect(personal.length).toBeGreaterThan(0);
  for (const line of personal) {
    const { details, ...others } = JSON.parse(line) as Record<string, unknown>;
    expect(JSON.stringify(details)).toMatch(new RegExp(PERSONAL.join('|')));
    expect(JSON.stringify(others)).not.toMatch(new RegExp(PERSONAL.join('|')));
  }
  expect((await program.run(['client', 'erase', reference, ...WHERE])).code).toBe(0);
  expect((await exported()).filter((line) => PERSONAL.some((planted) => line.includes(planted)))).toEqual([]);
});
