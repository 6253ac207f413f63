import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { InvalidRequestError, NotFoundError } from './errors.ts';
import type { FetchLike } from './fetch.ts';
import type { Import } from './generated/api.ts';
import { Rollcall } from './rollcall.ts';
import { FakeService } from './testing/fake-service.ts';
import { openReal } from './testing/real-service.ts';

const HEADER = 'email,client_name,client_type,group_name';
const FILE = `${HEADER}\na@mail.example,Ada,company,North\nb@mail.example,Bo,company,North\nc,Cy,company,North\n`;

test('the real service: a file is imported in the background, and its rejected rows can be read', async () => {
  const { imports, clients } = (await openReal()).rollcall;
  const started = await imports.create(FILE, { fileName: 'clients.csv' });
  expect(started).toMatchObject({ import_id: expect.any(String), dry_run: false });
  const seen: Import[] = [];
  const ended = await imports.wait(started, { onProgress: (current) => seen.push(current) });
  expect(ended).toMatchObject({ state: 'completed', rows_read: 3, inserted: 2, rejected: 1 });
  expect(seen.at(-1)).toEqual(ended);
  expect(await imports.get(started.import_id)).toEqual(ended);
  const [header, row] = (await imports.rejects(started.import_id)).split('\n');
  expect(header).toMatch(/^email,.*reject_line,reject_reason/);
  expect(row).toMatch(/^c,Cy,.*,4,email must be an email address/);
  expect(await clients.page()).toMatchObject({ total_count: 2 });
});

test.each([
  ['text', FILE, {}],
  ['bytes', new TextEncoder().encode(FILE), {}],
  ['a blob', new Blob([FILE]), {}],
  ['a blob with a type', new Blob([gzipSync(FILE)], { type: 'application/gzip' }), {}],
  ['a packed file', gzipSync(FILE), { type: 'application/gzip' }],
  ['a packed file, by its name', gzipSync(FILE), { fileName: 'clients.csv.gz' }],
  ['a file with a type of its own', new File([FILE], 'clients.csv', { type: 'application/vnd.ms-excel' }), {}],
  ['a file with a very long name', FILE, { fileName: `${'x'.repeat(300)}.csv` }],
])('the real service: a file may be %s', async (_what, file, request) => {
  const { imports } = (await openReal()).rollcall;
  expect(await imports.wait(await imports.create(file, request))).toMatchObject({ inserted: 2, rejected: 1 });
});

test('the real service: a dry run, other names of columns, and only new or known clients', async () => {
  const { imports, clients } = (await openReal()).rollcall;
  const file = 'Email,Who,Client Type,Group Name,Colour\na@mail.example,Ada,company,North,red\n';
  const request = { mapping: { Who: 'client_name' }, ignoreUnknownColumns: true };
  const run = async (more: object) => imports.wait(await imports.create(file, { ...request, ...more }));
  expect(await run({ dryRun: true })).toMatchObject({ dry_run: true, inserted: 1 });
  expect(await run({ only: 'update' })).toMatchObject({ inserted: 0, rejected: 1 });
  expect(await clients.page()).toMatchObject({ total_count: 0 });
  expect(await run({ only: 'insert' })).toMatchObject({ inserted: 1 });
  expect(await imports.wait(await imports.create(file))).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^line 1: these are not columns: Who, Colour/),
  });
});

test('the real service: dates and words of another country', async () => {
  const { imports, clients } = (await openReal()).rollcall;
  const file = 'email,client_name,client_type,group_name,created_at\na@mail.example,Ada,Person,North,07.04.2026\n';
  const started = await imports.create(file, {
    dates: 'day-first',
    timeZone: 'America/New_York',
    values: { client_type: { Person: 'individual' } },
  });
  expect(await imports.wait(started)).toMatchObject({ inserted: 1 });
  expect((await clients.page()).results).toMatchObject([
    { client_type: 'individual', created_at: '2026-04-07T04:00:00.000Z' },
  ]);
});

test('the real service: an upload whose answer is lost is stored once', async () => {
  let answers = 0;
  const losingAnswers: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method === 'POST' && ++answers < 3) throw new Error('The connection was closed.');
    return response;
  };
  const { rollcall } = await openReal({ fetch: losingAnswers });
  const ended = await rollcall.imports.wait(await rollcall.imports.create(FILE));
  expect(ended).toMatchObject({ state: 'completed', inserted: 2, unchanged: 0 });
  expect(answers).toBe(3);
});

test('the real service: what cannot be imported, read or cancelled is an error', async () => {
  const { imports } = (await openReal()).rollcall;
  await expect(imports.create(FILE, { type: 'application/pdf' })).rejects.toThrow(/content type/);
  for (const wrong of [{ colour: 'red' }, { unknownColumns: 'ignore' }, { mapping: ['a:b'] }]) {
    await expect(imports.create(FILE, wrong as never)).rejects.toBeInstanceOf(InvalidRequestError);
  }
  await expect(imports.get('imp_unknown')).rejects.toBeInstanceOf(NotFoundError);
  await expect(imports.rejects('imp_unknown')).rejects.toBeInstanceOf(NotFoundError);
  await expect(imports.wait('imp_unknown')).rejects.toBeInstanceOf(NotFoundError);
  const { import_id: over } = await imports.wait(await imports.create(FILE));
  await expect(imports.cancel(over)).rejects.toThrow(/over/);
});

test('waiting ends at once when its signal is aborted', async () => {
  const service = await FakeService.start();
  service.alwaysReplyToListsWith({ import_id: 'imp_1', state: 'running' });
  const rollcall = new Rollcall({ apiKey: 'key', baseUrl: service.address });
  const leaving = new AbortController();
  const waiting = rollcall.imports.wait('imp_1', {
    signal: leaving.signal,
    pollMs: 3_600_000,
    onProgress: () => leaving.abort(new Error('No longer needed.')),
  });
  await expect(waiting).rejects.toThrow('No longer needed.');
});
