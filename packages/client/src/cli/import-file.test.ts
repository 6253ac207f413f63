import { once } from 'node:events';
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openReal } from '../testing/real-service.ts';
import { type CallOptions, call } from '../testing/run-command.ts';

const HEADER = 'email,client_name,client_type,group_name';
const GOOD = `${HEADER}\na@mail.example,Ada,company,North\n`;
const MIXED = `${GOOD}b,Bo,company,North\n`;

/** The command with a real service and a folder. */
async function openScene() {
  const { baseUrl, secret } = await openReal();
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ROLLCALL_API_KEY: secret, ROLLCALL_BASE_URL: baseUrl };
  return {
    inFolder: (name: string) => join(folder, name),
    write: (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    run: (args: string[], options: CallOptions = {}) => call(undefined, ['import', ...args], { env, ...options }),
  };
}

test('a file is sent and imported, and the result is printed as JSON', async () => {
  const { write, run } = await openScene();
  const { code, stdout, stderr } = await run([write('clients.csv', GOOD)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ state: 'completed', inserted: 1, rejected: 0 });
  const again = await run([write('clients.csv.gz', gzipSync(GOOD))]);
  expect(JSON.parse(again.stdout)).toMatchObject({ inserted: 0, unchanged: 1 });
  const json = '{"email":"n@mail.example","client_name":"N","client_type":"company","group_name":"G"}\n';
  expect(JSON.parse((await run([write('more.ndjson', json)])).stdout)).toMatchObject({ inserted: 1 });
  expect(JSON.parse((await run(['-'], { stdin: GOOD })).stdout)).toMatchObject({ unchanged: 1 });
});

test('rejected rows are written to a file, and the exit code says so', async () => {
  const { write, run, inFolder } = await openScene();
  const rejects = write('rejects.csv', 'old');
  expect(await run([write('mixed.csv', MIXED), '--rejects', rejects])).toMatchObject({ code: 5, stderr: '' });
  expect(readFileSync(rejects, 'utf8')).toMatch(/^email,.*\nb,Bo,.*,3,email must be an email address/);
  expect(await run([write('good.csv', GOOD), '--rejects', rejects])).toMatchObject({ code: 0 });
  expect(readFileSync(rejects, 'utf8')).toBe('');
  const { code, stderr } = await run([inFolder('mixed.csv'), '--rejects', inFolder('no/folder.csv')]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/cannot be written: there is no such/) });
  const { stderr: hint } = await run([inFolder('mixed.csv')]);
  expect(hint).toMatch(
    /^Rejected: 1\. The rows and the reasons are at \/api\/v1\/clients-imports\/imp_[\w-]+\/rejects\//,
  );
});

test('the file with the rejected rows is never the imported one, also if that is read from stdin', async () => {
  const { write, run } = await openScene();
  const file = write('mixed.csv', MIXED);
  const stdin = createReadStream(file);
  await once(stdin, 'open');
  for (const args of [[file], ['-']]) {
    const refused = await run([...args, '--rejects', file], { stdin });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/same file/) });
  }
  expect(readFileSync(file, 'utf8')).toBe(MIXED);
});

test('rejected rows are readable for their owner only', async () => {
  const { write, run, inFolder } = await openScene();
  await run([write('mixed.csv', MIXED), '--rejects', inFolder('new.csv')]);
  expect(statSync(inFolder('new.csv')).mode & 0o777).toBe(0o600);
});

test('other columns, a dry run and only new clients', async () => {
  const { write, run } = await openScene();
  const file = write('own.csv', 'Email,Who,Client type,Group name,Colour\na@mail.example,Ada,company,North,red\n');
  const columns = ['--mapping', 'Who:client_name', '--ignore-unknown-columns'];
  expect(JSON.parse((await run([file, ...columns, '--dry-run'])).stdout)).toMatchObject({ dry_run: true, inserted: 1 });
  expect((await run([file, ...columns, '--only', 'update'])).code).toBe(5);
  expect(JSON.parse((await run([file, ...columns])).stdout)).toMatchObject({ inserted: 1 });
  const german = write(
    'german.csv',
    'email,client_name,client_type,group_name,created_at\nd@mail.example,Dee,Firma,North,31.01.2026\n',
  );
  expect((await run([german])).code).toBe(5);
  const declined = write(
    'declined.csv',
    'email,client_name,client_type,group_name,request_status\na@mail.example,Ada,company,North,declined\n',
  );
  expect(JSON.parse((await run([declined, '--keep-status'])).stdout)).toMatchObject({ unchanged: 1 });
  expect(JSON.parse((await run([declined])).stdout)).toMatchObject({
    status_changes: [{ field: 'request_status', from: 'requested', to: 'declined', rows: 1 }],
  });
  const words = ['--values', 'client_type:Firma:company', '--time-zone', 'Europe/Zurich'];
  expect(JSON.parse((await run([german, '--dates', 'day-first', ...words])).stdout)).toMatchObject({ inserted: 1 });
  const old = write(
    'old.csv',
    Buffer.from('email,client_name,client_type,group_name\nm@mail.example,M\xfcller,company,North\n', 'latin1'),
  );
  expect((await run([old])).code).toBe(1);
  expect(JSON.parse((await run([old, '--encoding', 'windows-1252'])).stdout)).toMatchObject({ inserted: 1 });
  expect(await run([file])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^rollcall-clients: The import has failed: line 1: these are not columns: Who, Colour; known: email/,
    ),
  });
});

test.each([
  [[], /import needs a file/],
  [['/nowhere.csv'], /nowhere.csv cannot be read: there is no such file or folder/],
  [['/'], /cannot be read: it is a folder/],
  [['-', '--mapping', 'Who'], /--mapping must be column:field/],
  [['-', '--values', 'client_type:Firma'], /--values must be field:value:word/],
  [['-', '--time-zone', 'Mars'], /time_zone must be the name of a time zone/],
  [['-', '--only', 'delete'], /only must be/],
  [['-', '--encoding', 'latin9'], /--encoding must be one of utf-8/],
  [['-', '--format', 'csv'], /import does not accept --format/],
  [['a.csv', 'b.csv'], /unexpected argument/],
])('wrong usage is explained: import %j', async (args, message) => {
  const { run } = await openScene();
  expect(await run(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
});
