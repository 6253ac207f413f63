import { expect, test } from 'vitest';
import { fingerprintOf } from '../../domain/clients/correct-rejects.ts';
import { NOTHING_IMPORTED } from '../../domain/clients/import-clients.ts';
import { TEST_PASSWORD } from '../../testing/builders.ts';
import { type Browser, openTestConsole } from '../../testing/test-console.ts';
import { openOnce } from '../../testing/when-finished.ts';
import { aWorkbook } from '../../testing/workbook.ts';
import type { LatestImports } from '../contract/clients/imports.ts';

const IMPORTS = '/console/production/imports';
const HEADER = 'email,client_name,client_type,group_name';
const rows = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `c${first + index}@mail.example,Client,company,North\n`).join('');
const csv = (text: string) => `${HEADER}\n${text}`;

async function openScene() {
  const testConsole = await openTestConsole();
  const owner = await testConsole.owner();
  const onRecord = async () => (await owner.get('/console/activity?kind=client')).body.data?.results;
  const upload = (query: string, body: unknown = new TextEncoder().encode(csv(rows(1)))) =>
    owner.send('POST', `${IMPORTS}${query}`, body);
  return { ...testConsole, owner, onRecord, upload };
}

test('a file is imported in the background, is on record, and its rejected rows can be read', async () => {
  const { owner, onRecord, store } = await openScene();
  const ended = await owner.import('production', csv(`${rows(3)}wrong,Nobody,company,North\n`));
  expect(ended).toMatchObject({
    import: { file_name: 'clients.csv', state: 'completed', rows_read: 4, inserted: 3, rejected: 1, dry_run: false },
    rejected: [{ line: 5, reason: 'email must be an email address' }],
  });
  const { import_id: id } = ended.import;
  const rejects = await owner.send('POST', `${IMPORTS}/${id}/rejects.csv`, new URLSearchParams());
  expect(rejects.headers.get('content-disposition')).toBe('attachment; filename="clients-rejected.csv"');
  expect(rejects.text).toMatch(/\nwrong,Nobody,.*,5,email must be an email address/);
  expect(await onRecord()).toMatchObject([
    { action: 'client.exported', member: 'owner@firm.example', subject: 'rejected rows of clients.csv as CSV' },
    { action: 'client.imported', member: 'owner@firm.example', subject: 'clients.csv', clients: 3, rejected_rows: 1 },
  ]);
  // The group that it has made is named, and found.
  const found = (await owner.get('/console/activity?search=north')).body.data;
  expect(found).toMatchObject({ results: [{ subject: 'clients.csv', new_groups: { names: ['North'], others: 0 } }] });
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('an import is found by the names of the groups that it has created, whatever characters they have', async () => {
  const { owner } = await openScene();
  const groups = ['Smith "North"', String.raw`C:\South`, 'Élan, East'];
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  await owner.import('production', csv(groups.map((name) => `a@mail.example,Ann,company,${quoted(name)}\n`).join('')));
  const found = async (search: string) =>
    (await owner.get(`/console/activity?search=${encodeURIComponent(search)}`)).body.data?.total_count;
  for (const name of groups) expect(await found(name), name).toBe(1);
  for (const other of ['["', '","', '[Smith', String.raw`\"`]) expect(await found(other), other).toBe(0);
});

test('of an import that has created many groups, the first ten are on record and exported, with the number of the others', async () => {
  const { owner } = await openScene();
  const names = Array.from({ length: 12 }, (_, index) => `Group ${index}`);
  await owner.import('production', csv(names.map((name) => `a@mail.example,Ann,company,${name}\n`).join('')));
  const first = names.slice(0, 10);
  const listed = (await owner.get('/console/activity?kind=client')).body.data;
  expect(listed).toMatchObject({ results: [{ new_groups: { names: first, others: 2 } }] });
  const { text } = await owner.send('POST', '/console/activity/export', new URLSearchParams());
  const entries = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { details } = entries.find(({ action }) => action === 'client.imported');
  expect(JSON.parse(details)).toMatchObject({ new_groups: first, other_new_groups: 2 });
});

test('a file of rejected rows is called after its source, whatever letters that has', async () => {
  const { owner, upload } = await openScene();
  const text = new TextEncoder().encode(csv('wrong,Nobody,company,North\n'));
  const { body } = await upload(`?file_name=${encodeURIComponent('Kunden "Süd".csv.gz')}`, text);
  const path = `${IMPORTS}/${body.data?.import_id}`;
  await expect.poll(async () => (await owner.get(path)).body.data?.import).toMatchObject({ state: 'completed' });
  const rejects = await owner.send('POST', `${path}/rejects.csv`, new URLSearchParams());
  expect(rejects.headers.get('content-disposition')).toBe(
    `attachment; filename="Kunden _S_d_-rejected.csv"; filename*=UTF-8''Kunden%20%22S%C3%BCd%22-rejected.csv`,
  );
});

test('an import that changes nothing is on record, too, and a check or a file that cannot be read is not', async () => {
  const { owner, onRecord, store } = await openScene();
  await owner.import('production', csv(rows(1)));
  const again = csv(`${rows(1)}${'wrong,Nobody,company,North\n'.repeat(7)}`);
  await owner.import('production', again, { name: 'checked.csv', dryRun: true });
  const failed = await owner.import('production', 'email,email\n', { name: 'unreadable.csv' });
  expect(failed.import.state).toBe('failed');
  const { import: ended } = await owner.import('production', again, { name: 'again.csv' });
  expect(ended).toMatchObject({ inserted: 0, updated: 0, unchanged: 1, rejected: 7 });
  const by = { action: 'client.imported', member: 'owner@firm.example', address: '127.0.0.1' };
  expect(await onRecord()).toMatchObject([
    { ...by, subject: 'again.csv', clients: 0, rejected_rows: 7, import_id: ended.import_id },
    { ...by, subject: 'clients.csv', clients: 1, rejected_rows: 0 },
  ]);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('the history of a client says from which import it came', async () => {
  const { owner, clock } = await openScene();
  const row = (name: string) => csv(`ada@mail.example,${name},company,North\n`);
  const { import: first } = await owner.import('production', row('Ada'), { name: 'first.csv' });
  clock.advance(1);
  const { import: second } = await owner.import('production', row('Ada Abebe'), { name: 'second.csv' });
  const { results } = (await owner.get('/console/production/clients')).body.data ?? {};
  const [{ reference_id: id } = { reference_id: '' }] = results as { reference_id: string }[];
  clock.advance(1);
  await owner.post('/console/production/clients/changes', { reference_ids: [id], client_status: 'inactive' });
  expect((await owner.get(`/console/production/clients/${id}`)).body.data).toMatchObject({
    history: [
      { kind: 'changed', imported: null },
      { kind: 'changed', imported: { name: 'second.csv', import_id: second.import_id } },
      { kind: 'added', imported: { name: 'first.csv', import_id: first.import_id } },
    ],
  });
});

test('a check counts rows that repeat earlier ones, however many there are, and changes nothing', async () => {
  const { owner, onRecord } = await openScene();
  const file = csv(rows(12_000) + rows(12_000));
  const { import: checked } = await owner.import('production', file, { dryRun: true });
  expect(checked).toMatchObject({ state: 'completed', dry_run: true, inserted: 12_000, unchanged: 12_000 });
  expect(await onRecord()).toEqual([]);
});

test('all imports are listed with who started them, newest first, and those of the other environment are not', async () => {
  const { owner, clock } = await openScene();
  for (let number = 1; number <= 12; number++) {
    clock.advance(1);
    await owner.import('production', csv(rows(1, number)), { name: `${number}.csv` });
  }
  const namesOn = async (page: number) => {
    const { results, has_more } = (await owner.get(`${IMPORTS}?page=${page}`)).body.data ?? {};
    return [(results as { file_name: string }[]).map(({ file_name }) => file_name), has_more];
  };
  expect((await owner.get(IMPORTS)).body.data).toMatchObject({
    results: [{ file_name: '12.csv', started_by: 'owner@firm.example' }, ...Array(9).fill({})],
  });
  expect(await namesOn(1)).toEqual([Array.from({ length: 10 }, (_, index) => `${12 - index}.csv`), true]);
  expect(await namesOn(2)).toEqual([['2.csv', '1.csv'], false]);
  expect((await owner.get('/console/sandbox/imports')).body.data).toEqual({ results: [], has_more: false });
});

test('a running import tells how much of its file is read, how fast that goes and how long it will take, if that is known, and a completed one has read all', async () => {
  const { owner, store, clock } = await openScene();
  const [account] = await store.accounts.list();
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'production');
  const request = { name: 'x.csv', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  const by = { workspaceId, actor: { name: 'operator', address: '' } };
  await store.imports.begin({ ...by, id: 'imp_long', request, createdAt: clock.now() });
  await store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) => imports.enqueue('imp_long'));
  const job = await store.imports.claim('nobody', clock.now());
  if (!job) throw new Error('The import was not claimed.');
  const nothing = { ...NOTHING_IMPORTED, rejections: [], clients: [] };
  const advance = (firstRow: number, rows: number, share: number | undefined) =>
    store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) =>
      imports.advance(job, 'nobody', { ...nothing, firstRow, rows, share }),
    );
  const shown = async () => (await owner.get(`${IMPORTS}/imp_long`)).body.data?.import;
  expect(await shown()).toMatchObject({ rows_per_second: 0, percent_read: null, seconds_left: null });
  clock.advance(1);
  await advance(1, 100, 0.1);
  expect(await shown()).toMatchObject({ rows_per_second: 100, percent_read: 10, seconds_left: null });
  clock.advance(9);
  await advance(101, 400, 0.25);
  expect(await shown()).toMatchObject({ rows_per_second: 50, percent_read: 25, seconds_left: 30 });
  await advance(501, 1, undefined);
  expect(await shown()).toMatchObject({ rows_read: 501, percent_read: null, seconds_left: null });
  // Its last row began early in the file, and was very long.
  await advance(502, 1, 0.02);
  await store.changeWorkspace({ ...by, at: clock.now() }, ({ imports, record }) => {
    record('client.imported', 'clients.csv', { clients: 0 });
    return imports.end(job, 'nobody', 'completed');
  });
  expect(await shown()).toMatchObject({ state: 'completed', percent_read: 100 });
});

test('what a member has chosen decides about the columns of a file', async () => {
  const { owner, upload } = await openScene();
  const text = 'Name,Mail,Email,Kind,Desk\nAda,ada@mail.example,none,company,North\n';
  const columns = 'client_name,email,none,client_type,group_name';
  const { body } = await upload(`?file_name=x.csv&columns=${columns}`, new TextEncoder().encode(text));
  await expect
    .poll(async () => (await owner.get(`${IMPORTS}/${body.data?.import_id}`)).body.data?.import)
    .toMatchObject({ state: 'completed', inserted: 1, rejected: 0, percent_read: 100 });
  const { results } = (await owner.get('/console/production/clients')).body.data ?? {};
  expect(results).toMatchObject([{ client_name: 'Ada', email: 'ada@mail.example', group_name: 'North' }]);
});

test('what a file does not have is given once for all rows, in the check, the import and the corrections', async () => {
  const { owner, upload } = await openScene();
  const text = 'Name,Mail\nAda,ada@mail.example\nBo,wrong\n"x"y\n';
  const query = '?file_name=x.csv&columns=client_name,email&client_type=company&group_name=North%2C%20old';
  const ended = async (more: string, numbers: object) => {
    const { body } = await upload(`${query}&request_status=pending${more}`, new TextEncoder().encode(text));
    const path = `${IMPORTS}/${body.data?.import_id}`;
    await expect
      .poll(async () => (await owner.get(path)).body.data?.import)
      .toMatchObject({ state: 'completed', ...numbers });
    return path;
  };
  await ended('&dry_run=true', { inserted: 1, rejected: 2 });
  const path = await ended('', { inserted: 1, rejected: 2 });
  const given = { client_type: 'company', group_name: 'North, old', request_status: 'pending' };
  const { results } = (await owner.get(`${path}/rejects`)).body.data ?? {};
  expect(results).toMatchObject([{ cells: { client_name: 'Bo', ...given } }, { cells: given, raw: '"x"y' }]);
  const cells = { client_name: 'Bo', ...given, email: 'bo@mail.example' };
  const [{ fingerprint: seen } = {}] = results as { fingerprint?: string }[];
  const corrected = await owner.post(`${path}/corrections`, { rows: [{ row_number: 2, seen, cells }] });
  expect(corrected.body.data).toMatchObject({ inserted: 1, rejected: 0 });
  const { results: clients } = (await owner.get('/console/production/clients')).body.data ?? {};
  expect(clients).toMatchObject([given, given]);
});

test('corrected rows that would give a client another email do nothing until that is confirmed', async () => {
  const { owner, store } = await openTestConsole();
  const browser = await owner();
  const file =
    'email,client_name,client_type,group_name,external_id\nada@mail.example,Ada,company,North,A\nbo,Bo,company,North,B\n';
  const { import: ended } = await browser.import('sandbox', file);
  const path = `/console/sandbox/imports/${ended.import_id}`;
  const { results } = (await browser.get(`${path}/rejects`)).body.data as {
    results: { fingerprint: string; cells: Record<string, string> }[];
  };
  const [row] = results;
  const cells = { ...row?.cells, email: 'bo@mail.example', external_id: 'A' };
  const rows = [{ row_number: 2, seen: row?.fingerprint, cells }];
  const send = async (asks: boolean) => (await browser.post(`${path}/corrections`, { rows, asks })).body.data;
  const stored = async () => {
    const page = (await browser.get('/console/sandbox/clients')).body.data as { results: { email: string }[] };
    return page.results.map(({ email }) => email);
  };

  expect(await send(true)).toMatchObject({ asked: { email_changes: { rows: 1, lines: [3] } } });
  expect(await stored()).toEqual(['ada@mail.example']);
  expect((await browser.get(`${path}/rejects`)).body.data).toMatchObject({ results });
  expect(await send(false)).toMatchObject({ updated: 1, rejected: 0 });
  expect(await send(false)).not.toHaveProperty('asked');
  expect(await stored()).toEqual(['bo@mail.example']);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('the form of dates that a member has chosen also holds for corrections', async () => {
  const { owner, upload } = await openScene();
  const file = new TextEncoder().encode(`${HEADER},Since\na@mail.example,Ada,company,North,31.02.2026\n`);
  const { body } = await upload(`?file_name=x.csv&columns=${HEADER},created_at&dates=day-first`, file);
  const path = `${IMPORTS}/${body.data?.import_id}`;
  await expect.poll(async () => (await owner.get(path)).body.data?.import).toMatchObject({ rejected: 1 });
  const { results } = (await owner.get(`${path}/rejects`)).body.data ?? {};
  const [row] = results as { row_number: number; reason: string; cells: object; fingerprint: string }[];
  expect(row?.reason).toBe('created_at must be a day that exists, not “31.02.2026”');
  const cells = { ...row?.cells, created_at: '28.02.2026' };
  const rows = [{ row_number: row?.row_number, seen: row?.fingerprint, cells }];
  expect((await owner.post(`${path}/corrections`, { rows })).body.data).toMatchObject({ inserted: 1 });
});

test('a check tells how many statuses would change, and an import can keep them, also those of corrected rows', async () => {
  const { owner, upload } = await openScene();
  const file = (status: string, ...rest: string[]) =>
    [`${HEADER},request_status`, `a@mail.example,Ada,company,North,${status}`, ...rest, ''].join('\n');
  await owner.import('production', file('declined', 'b@mail.example,Bo,company,North,completed'));
  const old = file('pending', 'wrong,Bo,company,North,pending');
  const { import: checked } = await owner.import('production', old, { dryRun: true });
  expect(checked).toMatchObject({
    keep_status: false,
    updated: 1,
    status_changes: [{ field: 'request_status', from: 'declined', to: 'pending', rows: 1, lines: [2] }],
  });
  const { body } = await upload('?file_name=x.csv&keep_status=true', new TextEncoder().encode(old));
  const path = `${IMPORTS}/${body.data?.import_id}`;
  const kept = { state: 'completed', keep_status: true, updated: 0, unchanged: 1, rejected: 1, status_changes: [] };
  await expect.poll(async () => (await owner.get(path)).body.data?.import).toMatchObject(kept);
  const { results: rejects } = (await owner.get(`${path}/rejects`)).body.data ?? {};
  const [{ fingerprint: seen } = {}] = rejects as { fingerprint?: string }[];
  const cells = {
    email: 'b@mail.example',
    client_name: 'Bo',
    client_type: 'company',
    group_name: 'North',
    request_status: 'pending',
  };
  const corrected = await owner.post(`${path}/corrections`, { rows: [{ row_number: 2, seen, cells }] });
  expect(corrected.body.data).toMatchObject({ unchanged: 1, rejected: 0 });
  const { results } = (await owner.get('/console/production/clients?request_status=pending')).body.data ?? {};
  expect(results).toEqual([]);
  const { import: ended } = await owner.import('production', old);
  expect(ended.status_changes).toEqual(checked.status_changes);
});

test('a check that the page has made by itself is not listed beside the import that follows it, and those that somebody wanted are', async () => {
  const { owner, upload, join } = await openScene();
  const admin = await join(owner, 'admin@firm.example', 'admin');
  const names = async () => {
    const { results } = (await owner.get(IMPORTS)).body.data as unknown as LatestImports;
    return results.map(({ file_name: name, dry_run: isCheck }) => (isCheck ? `check of ${name}` : name)).sort();
  };
  const check = async (name: string) => {
    const { import: made } = await owner.import('production', csv('wrong,Ada,company,North\n'), { name, dryRun: true });
    return made.import_id;
  };
  await check('wanted.csv');
  const own = await check('own.csv');
  const { import: other } = await owner.import('production', csv(rows(1)), { name: 'other.csv' });
  expect((await upload(`?file_name=own.csv&replaces=${own}`)).status).toBe(200);
  expect(await names()).toEqual(['check of wanted.csv', 'other.csv', 'own.csv']);
  expect((await owner.get(`${IMPORTS}/${own}`)).status).toBe(404);
  // Neither an import nor the check of somebody else is removed, and what is gone already does not matter.
  const another = await check('another.csv');
  const file = new TextEncoder().encode(csv(rows(1)));
  for (const id of [other.import_id, another, own]) {
    const sender = id === another ? admin : owner;
    expect((await sender.send('POST', `${IMPORTS}?file_name=x.csv&replaces=${id}`, file)).status).toBe(200);
  }
  const kept = ['check of another.csv', 'check of wanted.csv', 'other.csv', 'own.csv'];
  expect(await names()).toEqual([...kept, 'x.csv', 'x.csv', 'x.csv']);
});

test('an import leads to the clients that it has added or changed, also by corrected rows, as they are now', async () => {
  const { owner, browser } = await openScene();
  await owner.import('production', csv('a@mail.example,Ada,company,North\nb@mail.example,Bo,company,North\n'));
  const file = 'a@mail.example,Ada King,company,North\nb@mail.example,Bo,company,North\nwrong,Cy,company,South\n';
  const { import: checked } = await owner.import('production', csv(file), { dryRun: true });
  const { import: ended, clients } = await owner.import('production', csv(file));
  const path = `${IMPORTS}/${ended.import_id}`;
  const listed = async (page = 1) => (await owner.get(`${path}/clients?page=${page}`)).body.data?.results;
  const ada = { client: { client_name: 'Ada King', group_name: 'North' }, is_added: false };
  expect(clients).toBe(1);
  expect(await listed()).toMatchObject([ada]);
  expect((await owner.get(`${IMPORTS}/${checked.import_id}/clients`)).body.data).toEqual({ results: [] });

  const { results: rejects } = (await owner.get(`${path}/rejects`)).body.data ?? {};
  const [{ fingerprint: seen } = {}] = rejects as { fingerprint?: string }[];
  const cells = { email: 'c@mail.example', client_name: 'Cy', client_type: 'company', group_name: 'South' };
  await owner.post(`${path}/corrections`, { rows: [{ row_number: 3, seen, cells }] });
  expect(await listed()).toMatchObject([ada, { client: { client_name: 'Cy' }, is_added: true }]);
  const detail = (await owner.get(path)).body.data;
  expect(detail).toMatchObject({ clients: 2, import: { group_changes: { moves: [], new_groups: ['South'] } } });
  expect(await listed(2)).toEqual([]);
  expect((await browser().get(`${path}/clients`)).status).toBe(401);
});

test('what the values of a file mean holds for the check, the import and the corrections, and the same reason is told once', async () => {
  const { owner, upload } = await openScene();
  const text = [
    'Name;Mail;Art;Stand;Seit',
    'Ada;ada@mail.example;Person;offen;2026-04-07',
    ';;;;',
    ...[1, 2, 3].map((number) => `Client ${number};c${number}@mail.example;FIRMA;vielleicht;`),
  ];
  const chosen = {
    file_name: 'kunden.csv',
    columns: 'client_name,email,client_type,request_status,created_at',
    group_name: 'North',
    values: 'client_type:Person:individual\nclient_type:Firma:company\nrequest_status:offen:pending',
    time_zone: 'America/New_York',
  };
  const send = async (more: object = {}) => {
    const { body } = await upload(
      `?${new URLSearchParams({ ...chosen, ...more })}`,
      new TextEncoder().encode(text.join('\n')),
    );
    const path = `${IMPORTS}/${body.data?.import_id}`;
    await expect.poll(async () => (await owner.get(path)).body.data?.import).toMatchObject({ state: 'completed' });
    return { path, ended: (await owner.get(path)).body.data };
  };
  const rejected = [
    {
      reason: 'request_status must be one of pending, declined, completed, accepted, requested, not “vielleicht”',
      line: 4,
      rows: 3,
    },
  ];
  // The empty row is read, and nothing else.
  const result = { rows_read: 5, inserted: 1, updated: 0, rejected: 3 };
  expect((await send({ dry_run: 'true' })).ended).toMatchObject({ import: result, rejected });
  const { path, ended } = await send();
  expect(ended).toMatchObject({ import: result, rejected });
  expect((await owner.get('/console/production/clients')).body.data).toMatchObject({
    results: [{ client_type: 'individual', request_status: 'pending', created_at: '2026-04-07T04:00:00.000Z' }],
  });
  const { results, reading } = (await owner.get(`${path}/rejects`)).body.data as {
    results: { row_number: number; fingerprint: string; cells: Record<string, string> }[];
    reading: object;
  };
  expect(reading).toEqual({
    values: ['client_type:person:individual', 'client_type:firma:company', 'request_status:offen:pending'],
  });
  const rows = results.map(({ row_number, fingerprint, cells }) => ({
    row_number,
    seen: fingerprint,
    cells: { ...cells, request_status: 'Offen' },
  }));
  expect((await owner.post(`${path}/corrections`, { rows })).body.data).toMatchObject({ inserted: 3, rejected: 0 });
});

test('the beginning of a workbook is shown, and nothing of it is stored', async () => {
  const { owner } = await openScene();
  const send = (bytes: Uint8Array) => owner.send('POST', '/console/production/import-preview', bytes);
  const workbook = aWorkbook([
    ['Name', 'E-mail'],
    ['Ada', 'ada@mail.example'],
  ]);
  expect((await send(workbook)).body.data).toEqual({
    columns: ['Name', 'E-mail'],
    rows: [{ line: 2, cells: ['Ada', 'ada@mail.example'] }],
    total: 1,
    dates: ['iso', 'iso'],
    mixed_dates: [null, null],
    values: [['Ada'], ['ada@mail.example']],
    sheet: { name: 'Clients & others', others: 0 },
  });
  const wrong = await send(new TextEncoder().encode('text'));
  expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('not an Excel workbook')]);
  expect((await owner.get(IMPORTS)).body.data).toMatchObject({ results: [] });
});

const REJECTED = csv(`${rows(1)}wrong,Ada,company,North\nb@mail.example,Bo,firm,North\n"x"y\n`);

test('rejected rows are read with their cells and corrected, and what is still wrong stays with the new reason', async () => {
  const { owner, onRecord, store } = await openScene();
  const { import: ended } = await owner.import('production', REJECTED);
  const path = `${IMPORTS}/${ended.import_id}`;
  const bo = { email: 'b@mail.example', client_name: 'Bo', client_type: 'firm', group_name: 'North' };
  const wrong = { ...bo, email: 'wrong', client_name: 'Ada', client_type: 'company' };
  expect((await owner.get(`${path}/rejects`)).body.data).toEqual({
    results: [
      {
        row_number: 2,
        line: 3,
        reason: 'email must be an email address',
        cells: wrong,
        raw: null,
        surplus: null,
        fingerprint: fingerprintOf(wrong),
      },
      {
        row_number: 3,
        line: 4,
        reason: 'client_type must be one of individual, company, not “firm”',
        cells: bo,
        raw: null,
        surplus: null,
        fingerprint: fingerprintOf(bo),
      },
      {
        row_number: 4,
        line: 5,
        reason: 'a quotation mark is in the middle of a cell',
        cells: {},
        raw: '"x"y',
        surplus: null,
        fingerprint: fingerprintOf({}),
      },
    ],
    reading: { values: [] },
    total_count: 3,
  });
  expect((await owner.get(`${path}/rejects?page=2`)).body.data).toMatchObject({ results: [], total_count: 3 });
  const correct = async (...corrected: [row_number: number, seen: object, cells: object][]) => {
    const rows = corrected.map(([row_number, seen, cells]) => ({ row_number, seen: fingerprintOf(seen), cells }));
    return (await owner.post(`${path}/corrections`, { rows })).body.data;
  };
  const ada = { email: 'ada@mail.example', client_name: 'Ada', client_type: 'company', group_name: 'North' };
  expect(await correct([2, wrong, ada], [3, bo, { ...bo, group_name: '' }])).toEqual({
    inserted: 1,
    updated: 0,
    unchanged: 0,
    rejected: 1,
    gone: 0,
    still_rejected: [
      {
        row_number: 3,
        line: 4,
        reason: 'group_name must not be empty; client_type must be one of individual, company, not “firm”',
      },
    ],
    page: 1,
  });
  expect((await owner.get(path)).body.data?.import).toMatchObject({ rows_read: 4, inserted: 2, rejected: 2 });
  expect((await owner.get(`${path}/rejects`)).body.data).toMatchObject({
    results: [
      {
        row_number: 3,
        line: 4,
        reason: expect.stringContaining('group_name must not be empty'),
        cells: { email: 'b@mail.example' },
      },
      { row_number: 4 },
    ],
  });
  // The answer was lost, or somebody else was faster.
  expect(await correct([2, wrong, ada])).toMatchObject({ inserted: 0, gone: 1 });
  expect(await correct([3, bo, { ...bo, group_name: '' }])).toMatchObject({ rejected: 1, gone: 0 });
  // Another row has this number in another import, or somebody else has tried something else.
  for (const seen of [wrong, bo]) {
    expect(await correct([3, seen, ada])).toMatchObject({ inserted: 0, rejected: 0, gone: 1 });
  }
  expect(await correct([4, bo, ada])).toMatchObject({ inserted: 0, gone: 1 });
  expect(await onRecord()).toMatchObject([
    { action: 'client.imported', subject: 'corrected rows of clients.csv', clients: 1, member: 'owner@firm.example' },
    // What the log says about the import stays as it was.
    { action: 'client.imported', subject: 'clients.csv', clients: 1, rejected_rows: 3 },
  ]);

  // Erasing a client reaches what was typed about it.
  const { results } = (await owner.get('/console/production/clients?search=ada')).body.data ?? {};
  const [{ reference_id = '' } = {}] = results as { reference_id: string }[];
  expect(await correct([3, { ...bo, group_name: '' }, { ...ada, client_type: 'firm' }])).toMatchObject({ rejected: 1 });
  await owner.delete(`/console/production/clients/${reference_id}`);
  expect((await owner.get(`${path}/rejects`)).body.data).toMatchObject({
    results: [{ row_number: 4 }],
    total_count: 1,
  });
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('a row that could not be read keeps its text and its fields until it is accepted, but nothing of clients that were erased', async () => {
  const { owner } = await openScene();
  const gone = await owner.import('production', csv('gone@mail.example,Gone,company,North\n'));
  const listed = (await owner.get(`${IMPORTS}/${gone.import.import_id}/clients`)).body.data?.results;
  const [{ client: { reference_id: erased = '' } = {} } = {}] = listed as { client?: { reference_id: string } }[];
  await owner.delete(`/console/production/clients/${erased}`);
  const quoted = (name: string) => `${name}@mail.example,"${name}" Ltd,company,North,completed\n`;
  const file = `${HEADER},request_status\n${quoted('Eve')}${quoted('Bo')}${quoted('Cy')}fay@mail.example,Fay,firm,North,new\n`;
  const { import: ended } = await owner.import('production', file);
  const path = `${IMPORTS}/${ended.import_id}`;
  const rejects = async () =>
    (await owner.get(`${path}/rejects`)).body.data?.results as {
      row_number: number;
      cells: object;
      fingerprint: string;
    }[];
  const correct = async (typed: Record<number, object>) => {
    const shown = await rejects();
    const rows = Object.entries(typed).map(([number, cells]) => {
      const row = shown.find(({ row_number }) => row_number === Number(number));
      return { row_number: Number(number), seen: row?.fingerprint, cells: { ...row?.cells, ...cells } };
    });
    return (await owner.post(`${path}/corrections`, { rows })).body.data;
  };
  const wrong = { email: 'eve at mail.example', client_name: 'Eve Ltd', client_type: 'company', group_name: 'North' };
  const ofErased = { ...wrong, email: 'cy@mail.example', reference_id: erased };
  expect(await correct({ 1: wrong, 2: wrong, 3: ofErased, 4: { request_status: '' } })).toMatchObject({ rejected: 4 });
  const raw = 'Eve@mail.example,"Eve" Ltd,company,North,completed';
  expect(await rejects()).toMatchObject([
    { line: 2, reason: 'email must be an email address', cells: wrong, raw },
    { line: 3, reason: 'email must be an email address', cells: wrong, raw: expect.stringMatching(/^Bo@/) },
    { line: 4, reason: 'the client with this reference_id was erased', cells: { reference_id: erased }, raw: null },
    { line: 5, cells: { request_status: '' }, raw: null },
  ]);
  const { text } = await owner.send('POST', `${path}/rejects.csv`, new URLSearchParams());
  expect(text).toContain('eve at mail.example,Eve Ltd,company,North,');
  expect(text).toContain(`must be an email address; the whole row is: ${raw.replaceAll('"', '""')}"`);

  // Only its text still names the client.
  await owner.import('production', csv('bo@mail.example,Bo,company,North\n'));
  const { results: found } = (await owner.get('/console/production/clients?search=bo@mail.example')).body.data ?? {};
  const [{ reference_id: bo = '' } = {}] = found as { reference_id: string }[];
  await owner.delete(`/console/production/clients/${bo}`);
  expect((await rejects()).map(({ row_number }) => row_number)).toEqual([1, 3, 4]);

  // It is accepted with what was entered last.
  expect(await correct({ 1: { email: 'eve@mail.example', request_status: 'completed' } })).toMatchObject({
    inserted: 1,
  });
  const { results: clients } = (await owner.get('/console/production/clients?search=eve')).body.data ?? {};
  expect(clients).toMatchObject([{ client_name: 'Eve Ltd', request_status: 'completed' }]);
});

test('the answer to corrections says on which page the first row is that is still rejected', async () => {
  const { owner } = await openScene();
  const wrong = Array.from({ length: 45 }, (_, index) => `wrong ${index},Ada,company,North\n`).join('');
  const { import: ended } = await owner.import('production', csv(wrong));
  const path = `${IMPORTS}/${ended.import_id}`;
  const { results } = (await owner.get(`${path}/rejects?page=3`)).body.data ?? {};
  const shown = results as { row_number: number; cells: object; fingerprint: string }[];
  const emails = ['right@mail.example', 'still wrong'];
  const rows = shown.slice(0, 2).map(({ row_number, cells, fingerprint }, index) => {
    return { row_number, seen: fingerprint, cells: { ...cells, email: emails[index] } };
  });
  expect((await owner.post(`${path}/corrections`, { rows })).body.data).toMatchObject({
    inserted: 1,
    still_rejected: [{ row_number: 42, line: 43, reason: 'email must be an email address' }],
    page: 3,
  });
});

test('an import tells where each reason was found first, and which rows change a client of an earlier row, also when they are corrected', async () => {
  const { owner } = await openScene();
  const wrong = Array.from({ length: 6 }, (_, index) => `b${index}@mail.example,Bob,firm,North,X1`);
  const file = [`${HEADER},external_id`, 'a@mail.example,Ann,company,North,X1', ...wrong, 'wrong,Cy,company,North,'];
  const { import: ended, rejected } = await owner.import('production', `${file.join('\n')}\n`);
  expect(ended).toMatchObject({ inserted: 1, rejected: 7, repeats: { rows: 0, lines: [] } });
  expect(rejected).toMatchObject([
    { line: 3, lines: [3, 4, 5, 6, 7], rows: 6 },
    { line: 9, lines: [9], rows: 1 },
  ]);
  const path = `${IMPORTS}/${ended.import_id}`;
  const { results } = (await owner.get(`${path}/rejects`)).body.data ?? {};
  const [row] = results as { row_number: number; cells: object; fingerprint: string }[];
  const cells = { ...row?.cells, client_type: 'company' };
  const corrected = { rows: [{ row_number: row?.row_number, seen: row?.fingerprint, cells }] };
  expect((await owner.post(`${path}/corrections`, corrected)).body.data).toMatchObject({ updated: 1 });
  expect((await owner.get(path)).body.data?.import).toMatchObject({ updated: 1, repeats: { rows: 1, lines: [3] } });
});

test('a rejected row is corrected although it contains what no form accepts', async () => {
  const { owner } = await openScene();
  const { import: ended } = await owner.import('production', csv('a@mail.example,A\0da,company,North\n'));
  const path = `${IMPORTS}/${ended.import_id}`;
  const { results } = (await owner.get(`${path}/rejects`)).body.data ?? {};
  const [row] = results as { row_number: number; cells: object; fingerprint: string }[];
  const cells = { ...row?.cells, client_name: 'Ada' };
  const corrected = { rows: [{ row_number: row?.row_number, seen: row?.fingerprint, cells }] };
  expect((await owner.post(`${path}/corrections`, corrected)).body.data).toMatchObject({ inserted: 1 });
});

test('only those who may correct rejected rows read their cells, and only rows of an import that is over are corrected', async () => {
  const { owner, join, store, clock } = await openScene();
  const { import: checked } = await owner.import('production', REJECTED, { dryRun: true });
  const body = { rows: [{ row_number: 2, seen: '', cells: {} }] };
  const corrections = `${IMPORTS}/${checked.import_id}/corrections`;
  expect((await owner.post(corrections, body)).body.message).toContain('only checked');
  expect((await owner.post(corrections, { rows: [] })).status).toBe(400);
  const twice = await owner.post(corrections, {
    rows: [...body.rows, { row_number: 2, seen: '', cells: { email: 'x@y.example' } }],
  });
  expect([twice.status, twice.body.message]).toEqual([400, 'rows must not have the same row_number twice.']);
  expect((await owner.post(corrections, { rows: Array(101).fill(body.rows[0]) })).status).toBe(400);
  const viewer = await join(owner, 'viewer@firm.example', 'viewer');
  expect((await viewer.get(`${IMPORTS}/${checked.import_id}/rejects`)).status).toBe(403);
  expect((await viewer.get(`${IMPORTS}/${checked.import_id}`)).body.data).toMatchObject({
    rejected: [{ line: 3, reason: 'email must be an email address' }, {}, {}],
  });
  const [account] = await store.accounts.list();
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'production');
  const request = { name: 'x.csv', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  const by = { workspaceId, actor: { name: 'operator', address: '' } };
  await store.imports.begin({ ...by, id: 'imp_open', request, createdAt: clock.now() });
  expect((await owner.post(`${IMPORTS}/imp_open/corrections`, body)).status).toBe(404);
  await store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) => imports.enqueue('imp_open'));
  await store.imports.claim('nobody', clock.now());
  const answer = await owner.post(`${IMPORTS}/imp_open/corrections`, body);
  expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('not over yet')]);
});

test('a workbook is read by its name, and a file that cannot be used fails with the reason', async () => {
  const { owner, upload } = await openScene();
  const workbook = aWorkbook([HEADER.split(','), ['a@mail.example', 'Ada', 'company', 'North']]);
  const { body } = await upload('?file_name=Clients.XLSX&dry_run=false', workbook);
  await expect
    .poll(async () => (await owner.get(`${IMPORTS}/${body.data?.import_id}`)).body.data?.import)
    .toMatchObject({ state: 'completed', inserted: 1 });
  expect((await owner.import('production', 'colour\nred\n')).import).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^line 1: the first row must be a header/),
  });
});

test('an import goes on when its member signs out or becomes an admin, and ends when the member is removed', async () => {
  const { owner, store, clock, browser, join, signedInOwner } = await openScene();
  const other = await join(owner, 'other@firm.example', 'owner');
  const member = browser();
  const { body } = await owner.post('/console/invitations', { email: 'second@firm.example', role: 'admin' });
  await member.post('/console/invitation/acceptance', { token: body.data?.token, password: TEST_PASSWORD });
  // One that nobody runs is in the way, so the others wait.
  const [account] = await store.accounts.list();
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'production');
  const request = { name: 'x.csv', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  const by = { workspaceId, actor: { name: 'operator', address: '' } };
  await store.imports.begin({ ...by, id: 'imp_first', request, createdAt: clock.now() });
  await store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) => imports.enqueue('imp_first'));
  await store.imports.claim('nobody', clock.now());
  const start = async (browser: Browser, first: number) => {
    const bytes = new TextEncoder().encode(csv(rows(1, first)));
    const answer = await browser.send('POST', `${IMPORTS}?file_name=x.csv&dry_run=false`, bytes);
    return answer.body.data?.import_id;
  };
  const ofOwner = await start(owner, 1);
  const ofMember = await start(member, 2);
  const ofOther = await start(other, 3);
  await owner.delete('/console/session');
  const members = await store.members.list(account?.id ?? 0);
  const pathOf = (email: string) => `/console/members/${members.find((each) => each.email === email)?.id}`;
  const again = await signedInOwner();
  await again.delete(pathOf('second@firm.example'));
  await again.send('PATCH', pathOf('other@firm.example'), { role: 'admin' });
  await again.delete(`${IMPORTS}/imp_first`);
  const stateOf = async (id: unknown) => (await again.get(`${IMPORTS}/${id}`)).body.data?.import;
  for (const id of [ofOwner, ofOther]) {
    await expect.poll(() => stateOf(id)).toMatchObject({ state: 'completed', inserted: 1 });
  }
  await expect
    .poll(() => stateOf(ofMember))
    .toMatchObject({
      state: 'failed',
      reason: 'The member or the API key that started the import may no longer change clients.',
    });
});

test('an import that is over cannot be cancelled, and one that nobody runs can', async () => {
  const { owner, store, clock, join, onRecord } = await openScene();
  const { import: over } = await owner.import('production', csv(rows(1)));
  expect((await owner.delete(`${IMPORTS}/${over.import_id}`)).status).toBe(409);
  const [account] = await store.accounts.list();
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'production');
  const request = { name: 'x.csv', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  const actor = { name: 'operator', address: '' };
  const by = { workspaceId, actor };
  await store.imports.begin({ ...by, id: 'imp_left', request, createdAt: clock.now() });
  await store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) => imports.enqueue('imp_left'));
  // Claimed by a process that was killed.
  await store.imports.claim('nobody', clock.now());
  const admin = await join(owner, 'admin@firm.example', 'admin');
  // The second time it changes nothing.
  for (let time = 1; time <= 2; time++) {
    const cancelled = await admin.delete(`${IMPORTS}/imp_left`);
    expect([cancelled.status, cancelled.body.data?.state]).toEqual([200, 'cancelled']);
  }
  const subject = 'x.csv, started by operator';
  expect(await onRecord()).toMatchObject([
    { action: 'client.import-cancelled', member: 'admin@firm.example', subject, clients: null },
    { action: 'client.imported', member: 'owner@firm.example' },
  ]);
});

test('an import of an API key is shown with the name of the key, also when it was cancelled', async () => {
  const { owner, store, clock, onRecord } = await openScene();
  const keyId = (await owner.post('/console/production/keys', { name: 'Billing' })).body.data?.key_id as string;
  const [account] = await store.accounts.list();
  const workspaceId = await store.accounts.workspaceId(account?.id ?? 0, 'production');
  const by = { workspaceId, actor: { name: keyId, address: '' } };
  const request = { name: 'x.csv', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
  await store.imports.begin({ ...by, id: 'imp_1', request, createdAt: clock.now() });
  await store.changeWorkspace({ ...by, at: clock.now() }, ({ imports }) => imports.enqueue('imp_1'));
  // Claimed by a process that was killed.
  await store.imports.claim('nobody', clock.now());
  const shown = { started_by: keyId, by_key: 'Billing' };
  expect((await owner.get(IMPORTS)).body.data).toMatchObject({ results: [shown] });
  expect((await owner.get(`${IMPORTS}/imp_1`)).body.data).toMatchObject({ import: shown });
  expect((await owner.delete(`${IMPORTS}/imp_1`)).body.data).toMatchObject({ ...shown, state: 'cancelled' });
  expect(await onRecord()).toMatchObject([
    {
      action: 'client.import-cancelled',
      subject: `x.csv, started by ${keyId}`,
      by_key: null,
      started_by_key: 'Billing',
    },
  ]);
});

const MINIMAL = '?file_name=x.csv&columns=email,client_name,client_type';

const sharedScene = openOnce(openScene);

test.each<[string, string, unknown, number]>([
  ['with a name that is too long', `?file_name=${'x'.repeat(301)}`, undefined, 400],
  ['that should perhaps be checked only', '?file_name=x.csv&dry_run=', undefined, 400],
  ['that should perhaps be checked, and a space says so', '?file_name=x.csv&dry_run=%20', undefined, 400],
  ['that may or may not be checked only', '?file_name=x.csv&dry_run=maybe', undefined, 400],
  ['with an unknown encoding', '?file_name=x.csv&dry_run=false&encoding=klingon', undefined, 400],
  ['whose columns lack a required field', '?file_name=x.csv&columns=email,client_name,client_type', undefined, 400],
  [
    'with two columns of the same field',
    '?file_name=x.csv&columns=email,email,client_name,client_type,group_name',
    undefined,
    400,
  ],
  ['with a column of an unknown field', '?file_name=x.csv&columns=colour', undefined, 400],
  ['with an empty choice of columns', '?file_name=x.csv&columns=', undefined, 400],
  ['with an empty group for all rows', `${MINIMAL}&group_name=`, undefined, 400],
  ['with a group without a name', `${MINIMAL}&group_name=%20`, undefined, 400],
  ['with an unknown type for all rows', `${MINIMAL}&group_name=North&client_type=firm`, undefined, 400],
  ['with a column and a value of the same field', `${MINIMAL},group_name&group_name=North`, undefined, 400],
  ['with a value for all rows and no choice of columns', '?file_name=x.csv&group_name=North', undefined, 400],
  ['with a value that means an unknown word', `${MINIMAL}&values=client_type:Person:man`, undefined, 400],
  ['with no values', `${MINIMAL},group_name&values=`, undefined, 400],
  ['with an unknown time zone', '?file_name=x.csv&time_zone=Mars/Olympus', undefined, 400],
  ['of another type', '?file_name=x.csv&dry_run=false', { rows: [] }, 415],
  ['that is too large', '?file_name=x.csv&dry_run=false', new Uint8Array(1024 * 1024 + 1), 413],
])('a file %s is refused, and no import is made of it', async (_what, query, body, status) => {
  const { owner, upload } = await sharedScene();
  expect((await upload(query, body)).status).toBe(status);
  expect((await owner.get(IMPORTS)).body.data).toMatchObject({ results: [] });
});

test('another site cannot send a file', async () => {
  const { owner } = await openScene();
  const elsewhere = { origin: 'http://evil.example' };
  const bytes = new TextEncoder().encode(csv(rows(1)));
  const { status } = await owner.send('POST', `${IMPORTS}?file_name=x.csv&dry_run=false`, bytes, elsewhere);
  expect(status).toBe(403);
});
