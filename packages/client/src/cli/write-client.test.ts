import { expect, test } from 'vitest';
import { FakeService, replyWith } from '../testing/fake-service.ts';
import { dropConnection, failure } from '../testing/faulty-replies.ts';
import { aFullRecord } from '../testing/records.ts';
import { call } from '../testing/run-command.ts';

const REQUIRED = ['--email', 'ada@mail.example', '--client-name', 'Ada Abebe', '--client-type', 'individual'];
const ADD = ['add', ...REQUIRED, '--group-name', 'Partners'];
const SENT = {
  email: 'ada@mail.example',
  client_name: 'Ada Abebe',
  client_type: 'individual',
  group_name: 'Partners',
};
const UPDATE = ['update', '1769850600000-000000000001'];

test('add sends the fields with their names in the API, and prints the new client as one line of JSON', async () => {
  const service = await FakeService.start();
  const created = aFullRecord(7, { external_id: 'CRM-1' });
  service.replyToWritesWith(replyWith(created, 201));
  const others =
    '--external-id CRM-1 --request-status accepted --client-status inactive --created-at 2026-01-31T09:30:00Z';
  const { code, stdout, stderr } = await call(service, [...ADD, ...others.split(' ')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(`${JSON.stringify(created)}\n`);
  const [write] = service.writes;
  expect(write).toMatchObject({ method: 'POST', path: '/api/v1/clients/' });
  expect(JSON.parse(write?.body ?? '')).toEqual({
    ...SENT,
    external_id: 'CRM-1',
    request_status: 'accepted',
    client_status: 'inactive',
    created_at: '2026-01-31T09:30:00Z',
  });
});

test('a group can be given by its token', async () => {
  const service = await FakeService.start();
  expect(await call(service, ['add', ...REQUIRED, '--group-token', 't'])).toMatchObject({ code: 0 });
  expect(JSON.parse(service.writes[0]?.body ?? '')).toMatchObject({ group_token: 't' });
});

test('update sends only the given fields, and the reason', async () => {
  const service = await FakeService.start();
  const { code, stdout } = await call(service, [...UPDATE, '--client-name', 'Ada King', '--reason', 'She married.']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ client_name: 'Ada King', email: 'client1@mail.example' });
  const [write] = service.writes;
  expect(write).toMatchObject({ method: 'PATCH', path: '/api/v1/clients/1769850600000-000000000001/' });
  expect(JSON.parse(write?.body ?? '')).toEqual({ client_name: 'Ada King', reason: 'She married.' });
});

test('the written client is printed in the chosen format, and as a table on a terminal', async () => {
  const service = await FakeService.start();
  expect(JSON.parse((await call(service, [...ADD, '--format', 'json'])).stdout)).toMatchObject([SENT]);
  const csv = (await call(service, [...ADD, '--format', 'csv'])).stdout.split('\n');
  expect(csv[0]).toMatch(/^reference_id,.*,external_id,updated_at$/);
  expect(csv[1]).toContain('Ada Abebe');
  const table = (await call(service, ADD, { columns: 300 })).stdout.split('\n');
  expect(table[0]).toContain('EXTERNAL ID');
  expect(table[2]).toContain('Ada Abebe');
});

test('a client is added once, even if the first answer is lost', async () => {
  const service = await FakeService.start();
  service.replyToWritesWith(dropConnection);
  expect(await call(service, [...ADD, '-q'])).toMatchObject({ code: 0, stderr: '' });
  const [first, second] = service.writes.map(({ headers }) => headers['idempotency-key']);
  expect(second).toBe(first);
});

test.each([
  ['add', 'add needs --email, --client-name, --client-type, and --group-name or --group-token.\n'],
  ['add --email a --client-name b --client-type company', '--group-name or --group-token.\n'],
  ['add --email=', '--email is empty; leave it out or give a value.\n'],
  ['add Ada', '"Ada" is an unexpected argument'],
  ['add --reason x', 'add does not accept --reason'],
  ['add --client-email a', 'add does not accept --client-email, only the fields of a client and the options of add.'],
  ['update', 'update needs the reference of a client'],
  ['update 1-0000', 'update needs a field to change'],
  ['update 1-0000 --reason x', 'update needs a field to change'],
  ['update 1-0000 2-0000 --email a', '"2-0000" is an unexpected argument'],
  ['update 1-0000 --external-id=', '--external-id is empty; leave it out or give a value.\n'],
  ['update 1-0000 --created-at 2026-01-31', 'update does not accept --created-at'],
  ['update 1-0000 --email a --format xml', '--format must be one of'],
  ['update 1-0000 --email a --all', 'update does not accept --all'],
])('wrong usage (%s) exits with 2, gives the reason and changes nothing', async (args, message) => {
  const service = await FakeService.start();
  const { code, stdout, stderr } = await call(service, args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^rollcall-clients: [^\n]+\n$/);
  expect(stderr).toContain(message);
  expect(service.writes).toHaveLength(0);
});

test.each([
  ['a wrong field', failure(400, 'client_type must be one of individual, company.'), 2],
  ['a client that does not exist', failure(404, 'There is no client.'), 2],
  ['a key that may only read', failure(403, 'Forbidden: this key may not change clients.'), 3],
  ['an earlier attempt that is still running', failure(409, 'Still running.', { 'Retry-After': '1' }), 4],
  ['a contradiction', failure(409, 'The group Partners already has a client with this email.'), 6],
  ['a client that was changed meanwhile', failure(412, 'The client has been changed.'), 6],
])('%s has its own exit code', async (_what, reply, code) => {
  const service = await FakeService.start();
  service.replyToWritesWith(reply);
  const result = await call(service, [...UPDATE, '--client-type', 'company', '--retry-for', '0']);
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr).toMatch(/^rollcall-clients: [^\n]+ \(request request-7\)\n$/);
});
