import { expect, test } from 'vitest';
import type { Client } from '../generated/api.ts';
import { FakeService, replyWith } from '../testing/fake-service.ts';
import { dropConnection, failure, tooManyRequests } from '../testing/faulty-replies.ts';
import { aRecord } from '../testing/records.ts';
import { call } from '../testing/run-command.ts';

const records = (ndjson: string) =>
  ndjson
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Client);

test('in a pipe, a list is one JSON record per line and nothing else', async () => {
  const service = await FakeService.start(25);
  const { code, stdout, stderr } = await call(service, 'list --page-limit 10 --page-no 2');
  expect(code).toBe(0);
  expect(records(stdout)).toEqual(service.clients.slice(10, 20));
  expect(stderr).toBe('Page 2 of 3, 25 clients in total.\n');
});

test('--all lists every client, and says on stderr how many', async () => {
  const service = await FakeService.start(25);
  const { stdout, stderr } = await call(service, 'list --all --page-limit 10');
  expect(records(stdout)).toEqual(service.clients);
  expect(stderr).toBe('25 of 25 clients.\n');
});

test('the progress of --all into a file is shown on one line of the terminal', async () => {
  const service = await FakeService.start(25);
  const { stderr } = await call(service, 'list --all --page-limit 10', { stderrIsTerminal: true });
  const erase = '\r\x1b[K';
  expect(stderr).toBe(
    `${erase}10 of 25 clients${erase}20 of 25 clients${erase}25 of 25 clients${erase}25 of 25 clients.\n`,
  );
});

test('--quiet leaves stderr alone', async () => {
  const service = await FakeService.start(3);
  expect((await call(service, 'list --all -q')).stderr).toBe('');
});

test('--all requests the largest pages by default', async () => {
  const service = await FakeService.start(3);
  await call(service, 'list --all');
  expect(service.lists[0]?.query.get('page_limit')).toBe('1000');
});

test('filters are sent with the parameter names of the API', async () => {
  const service = await FakeService.start(1);
  await call(
    service,
    'list --request-status completed,pending --client-type company --group-name A --client-email b@c.example --group-token t,u --reference-id 1-0000,2-0000 --created-from 2026-01-31 --created-to 2026-02-28T00:00:00Z --order oldest',
  );
  expect(Object.fromEntries(service.lists[0]?.query ?? [])).toEqual({
    request_status: 'completed,pending',
    client_type: 'company',
    group_name: 'A',
    client_email: 'b@c.example',
    group_token: 't,u',
    reference_id: '1-0000,2-0000',
    created_from: '2026-01-31',
    created_to: '2026-02-28T00:00:00Z',
    order: 'oldest',
  });
});

test('on a terminal, a list is a table that fits it', async () => {
  const service = await FakeService.start(2);
  service.clients = [
    aRecord(2, { client_name: 'A company with a very long name that no terminal has room for', email: 'a@b.example' }),
    aRecord(1, { client_name: '株式会社ロール' }),
  ];
  const { stdout } = await call(service, 'list', { columns: 130, env: withoutColour(service) });
  const [titles = '', rule = '', first = '', second = ''] = stdout.split('\n');
  const expected = ['REFERENCE', 'NAME', 'EMAIL', 'TYPE', 'GROUP', 'REQUEST STATUS', 'CLIENT STATUS', 'CREATED'];
  expect(titles.split(/\s{2,}/)).toEqual(expected);
  expect(rule).toMatch(/^[─ ]+$/);
  expect(rule.length).toBeLessThanOrEqual(130);
  expect(first).toContain('A company with');
  expect(first).toContain('…');
  // Seven wide characters take the room of fourteen.
  expect(second.indexOf('client1@')).toBe(titles.indexOf('EMAIL') - 7);
});

test('fields that were asked for are further columns of a table and of csv', async () => {
  const service = await FakeService.start(1);
  service.clients = [
    aRecord(2, { external_id: 'CRM-1', updated_at: '2026-02-03T14:05:10.250Z' }),
    aRecord(1, { external_id: null, updated_at: '2026-02-04T00:00:00.000Z' }),
  ];
  const table = (await call(service, 'list --include external_id,updated_at --format table')).stdout.split('\n');
  expect(table[0]).toMatch(/CREATED +EXTERNAL ID +UPDATED$/);
  expect(table[2]).toMatch(/CRM-1 +2026-02-03 14:05$/);
  const csv = (await call(service, 'list --include external_id,updated_at --format csv')).stdout.split('\n');
  expect(csv[0]).toMatch(/,created_at,external_id,updated_at$/);
  expect(csv[2]).toMatch(/,,2026-02-04T00:00:00.000Z$/);
});

test('summary prints the figures as JSON, and accepts filters only', async () => {
  const service = await FakeService.start(1);
  service.replyToListsWith(replyWith({ total_count: 7, by_group: [] }));
  const { code, stdout } = await call(service, 'summary --client-status active');
  expect({ code, data: JSON.parse(stdout) }).toEqual({ code: 0, data: { total_count: 7, by_group: [] } });
  expect(service.lists[0]?.query.get('client_status')).toBe('active');
  expect(await call(service, 'summary --all')).toMatchObject({ code: 2 });
});

test('a table in a pipe is neither shortened nor coloured', async () => {
  const service = await FakeService.start(1);
  const name = 'A company with a very long name that no terminal has room for';
  service.clients = [aRecord(1, { client_name: name })];
  const { stdout } = await call(service, 'list --format table');
  expect(stdout).toContain(name);
  expect(stdout).not.toContain('\x1b');
});

test('control characters in a name have no effect on the terminal', async () => {
  const service = await FakeService.start(1);
  service.clients = [aRecord(1, { client_name: 'Ann\x1b]0;owned\x07\u202egnp\nBob' })];
  const { stdout } = await call(service, 'list', { columns: 200, env: withoutColour(service) });
  expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
});

test('csv has a header, quotes cells where needed, and escapes what a spreadsheet would run', async () => {
  const service = await FakeService.start(1);
  service.clients = [
    aRecord(1, { client_name: 'Say "hi", Ann', group_name: '=cmd|calc' }),
    aRecord(1, { client_name: '＝cmd', group_name: "'＠cmd" }),
  ];
  const { stdout } = await call(service, 'list --format csv');
  const { reference_id, group_token } = aRecord(1);
  expect(stdout.split('\n')).toEqual([
    'reference_id,email,client_name,client_type,group_name,group_token,request_status,client_status,created_at',
    `${reference_id},client1@mail.example,"Say ""hi"", Ann",individual,'=cmd|calc,${group_token},Requested,active,2026-01-01T00:00:01.000Z`,
    `${reference_id},client1@mail.example,'＝cmd,individual,''＠cmd,${group_token},Requested,active,2026-01-01T00:00:01.000Z`,
    '',
  ]);
});

test.each([0, 1, 25])('json is one array over all pages, here of %i clients', async (count) => {
  const service = await FakeService.start(count);
  const { stdout } = await call(service, 'list --all --page-limit 10 --format json');
  expect(JSON.parse(stdout)).toEqual(service.clients);
});

test('token prints an access token and nothing else', async () => {
  const service = await FakeService.start();
  expect(await call(service, 'token')).toEqual({ code: 0, stdout: 'token-1\n', stderr: '' });
});

test.each([
  ['--help', /Usage:/],
  ['list --help', /Exit codes:/],
  ['--version', /^\d+\.\d+\.\d+\n$/],
])('%s prints to stdout and needs no key', async (args, expected) => {
  const { code, stdout, stderr } = await call(undefined, args, { env: {} });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(expected);
});

test.each([
  ['', 'The command is missing.'],
  ['walk', 'There is no command "walk"'],
  ['list everybody', '"everybody" is an unexpected argument'],
  ['list --reqest-status x', 'There is no option --reqest-status. Did you mean --request-status?\n'],
  ['list --status x', 'There is no option --status. Did you mean --request-status?\n'],
  ['list --pageLimit=5', 'There is no option --pageLimit. Did you mean --page-limit?\n'],
  ['list --elephant', 'There is no option --elephant.\n'],
  ['list -x', 'There is no option -x.\n'],
  ['list --group-name', '--group-name needs a value.\n'],
  ['list --format --all', '--format needs a value.\n'],
  ['list --all=yes', '--all takes no value.\n'],
  ['list --format xml', '--format must be one of table, csv, ndjson, json.'],
  ['list --page-no one', '--page-no must be a whole number.'],
  ['list --client-email=', '--client-email is empty'],
  ['list --all --page-no 2', 'leave out --page-no'],
  ['token --all', 'token does not accept --all, only --retry-for.'],
  [
    'list --email a',
    'list does not accept --email, only filters and the options of list. Did you mean --client-email?\n',
  ],
  ['list --retry-for soon', '--retry-for must be a whole number.'],
])('wrong usage (%s) exits with 2 and gives the reason', async (args, message) => {
  const { code, stdout, stderr } = await call(undefined, args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^rollcall-clients: /);
  expect(stderr).toContain(message);
});

test.each([
  [{}, 'ROLLCALL_BASE_URL is missing'],
  [{ ROLLCALL_BASE_URL: 'http://127.0.0.1:9' }, 'ROLLCALL_API_KEY is missing'],
  [{ ROLLCALL_API_KEY: 'key', ROLLCALL_BASE_URL: 'nowhere' }, 'ROLLCALL_BASE_URL must be'],
])('an environment of %j exits with 2 and names the variable', async (env, message) => {
  const { code, stderr } = await call(undefined, 'token', { env });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test.each([
  ['a bad parameter', failure(400, 'request_status must be one of …'), 2],
  ['a refused key', failure(401, 'Invalid API key.'), 3],
  ['a key that may not make the call', failure(403, 'Forbidden: …'), 3],
  ['a service that limits us', tooManyRequests('3600'), 4],
  ['a defect of the service', failure(500, 'Internal error.'), 4],
  ['a dropped connection', dropConnection, 4],
  ['a foreign redirect', failure(302), 1],
])('%s has its own exit code', async (_what, reply, code) => {
  const service = await FakeService.start();
  service.replyToExchangesWith(reply);
  const result = await call(service, 'list --retry-for 0');
  expect(result).toMatchObject({ code, stdout: '' });
  expect(result.stderr).toMatch(/^rollcall-clients: [^\n]+\n$/);
});

test('a failure shows the request id, so that it can be found in the log', async () => {
  const service = await FakeService.start();
  service.replyToListsWith(failure(400, 'page_limit must be from 1 to 1000.'));
  const { stderr } = await call(service, 'list --page-limit 5000');
  expect(stderr).toBe('rollcall-clients: page_limit must be from 1 to 1000. (request request-7)\n');
});

test('an interruption of the service during --all is waited for, and no client is lost or repeated', async () => {
  const service = await FakeService.start(25);
  service.replyToListsWith(service.answerNormally, ...Array(4).fill(dropConnection));
  const { code, stdout, stderr } = await call(service, 'list --all --page-limit 10');
  expect(code).toBe(0);
  expect(records(stdout)).toEqual(service.clients);
  expect(stderr).toMatch(
    /^(rollcall-clients: trying again in \d s: No response from http:[^\n]+\n)+25 of 25 clients\.\n$/,
  );
});

test('--quiet waits silently, and a short wait is not reported', async () => {
  const service = await FakeService.start(1);
  service.replyToExchangesWith(tooManyRequests('1'));
  expect((await call(service, 'list -q')).stderr).toBe('');
  service.replyToExchangesWith(dropConnection);
  expect((await call(service, 'token')).stderr).toBe('');
});

test('an unreachable service is an error that says how many times it was tried', async () => {
  const service = await FakeService.start();
  await service.stop();
  const { code, stderr } = await call(service, 'token --retry-for 1');
  expect(code).toBe(4);
  expect(stderr).toMatch(/ECONNREFUSED[^\n]* \(tried \d+ times within \d+ s\)\n$/);
});

function withoutColour(service: FakeService): Record<string, string> {
  return { ROLLCALL_API_KEY: 'key', ROLLCALL_BASE_URL: service.address, NO_COLOR: '1' };
}
