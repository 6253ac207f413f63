import { expect, test } from 'vitest';
import { openTestConsole } from '../testing/test-console.ts';
import { CHECK_ROWS_MAX, IMPORT_ROWS_MAX } from './contract/clients.ts';

const cellsOf = (index: number, group_name = 'North') => ({
  email: `c${index}@x.example`,
  client_name: 'Ada',
  client_type: 'company',
  group_name,
});
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ line: index + 2, cells: cellsOf(index) }));

async function openFirm() {
  const browser = await (await openTestConsole()).owner();
  return (sent: object[], dryRun: boolean) =>
    browser.post('/console/sandbox/imports', { rows: sent, dry_run: dryRun, file_name: 'clients.csv', last: true });
}

test('a check of many rows at once counts those that repeat earlier ones, and changes nothing', async () => {
  const send = await openFirm();
  const first = rows(3 * IMPORT_ROWS_MAX);
  const all = [...first.map(({ cells }) => cells), ...first.map(({ cells }) => cells), cellsOf(0, 'South')];
  const file = all.map((cells, index) => ({ line: index + 2, cells }));
  for (let time = 0; time < 2; time++) {
    const { status, body } = await send(file, true);
    expect(status).toBe(200);
    expect(body.data).toEqual({ inserted: first.length + 1, updated: 0, unchanged: first.length, rejected: [] });
  }
});

test('an import takes few rows at once, a check as many as fit', async () => {
  const send = await openFirm();
  const tooMany = (max: number) => ({ status: 400, body: { message: `rows must have at most ${max} entries.` } });
  expect(await send(rows(IMPORT_ROWS_MAX + 1), false)).toMatchObject(tooMany(IMPORT_ROWS_MAX));
  expect(await send(Array(CHECK_ROWS_MAX + 1).fill({ line: 2, cells: {} }), true)).toMatchObject(
    tooMany(CHECK_ROWS_MAX),
  );
  expect(await send(rows(IMPORT_ROWS_MAX), false)).toMatchObject({ status: 200 });
});
