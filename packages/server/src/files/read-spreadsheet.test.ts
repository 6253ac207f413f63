import { expect, test } from 'vitest';
import { parseRow, type SourceRow } from '../domain/clients/parse-row.ts';
import { aWorkbook, aWorkbookOf } from '../testing/workbook.ts';
import { ColumnNames } from './columns.ts';
import { readSpreadsheet } from './read-spreadsheet.ts';

const HEADER = ['Email', 'Client name', 'Client type', 'Group name'];
const ADA = ['ada@mail.example', 'Ada & Söhne <AG>', 'company', 'North'];

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000);
}

function read(bytes: Uint8Array, names = new ColumnNames()): Promise<SourceRow[]> {
  return Array.fromAsync(readSpreadsheet(piecesOf(bytes), names));
}

test('the first sheet of a workbook is read: texts, numbers, dates and the results of formulas', async () => {
  const header = [...HEADER, 'External ID', 'Created at', 'Client status'];
  const formula = { formula: 'LOWER("ACTIVE")', result: 'active' };
  const rows = await read(
    aWorkbook([
      [null, null],
      header,
      [...ADA, 4711, new Date('2026-01-31T09:30:00Z'), formula],
      [],
      ['bo@mail.example', 'Bo', 'individual', 'South', '0042', '2026-02-01'],
    ]),
  );
  expect(rows).toMatchObject([
    {
      line: 3,
      cells: {
        email: 'ada@mail.example',
        client_name: 'Ada & Söhne <AG>',
        client_type: 'company',
        group_name: 'North',
        external_id: '4711',
        created_at: '2026-01-31T09:30:00.000',
        client_status: 'active',
      },
    },
    { line: 5, cells: { email: 'bo@mail.example', external_id: '0042', created_at: '2026-02-01' } },
  ]);
});

/** The XML of a row with texts, and of further cells. */
function rowXml(line: number, texts: readonly string[], further = ''): string {
  const cells = texts.map((text, index) => {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<c r="${'ABCDE'[index]}${line}" t="inlineStr"><is><t>${escaped}</t></is></c>`;
  });
  return `<row r="${line}">${cells.join('')}${further}</row>`;
}

test('long numbers keep all of their digits', async () => {
  const ids = ['9007199254740994', '9007199254740995', '12345678901234567890', '1.5E+3', '007'];
  const rows = ids.map((id, index) => rowXml(index + 2, ADA, `<c r="E${index + 2}"><v>${id}</v></c>`));
  const found = await read(aWorkbookOf([rowXml(1, [...HEADER, 'External ID']), ...rows].join('')));
  expect(found.map(({ cells }) => cells.external_id)).toEqual([...ids.slice(0, 3), '1500', '007']);
});

test('characters that XML does not allow are read', async () => {
  const named = ['ada@mail.example', 'Ada_x0041_', 'company', 'North'];
  expect(await read(aWorkbook([HEADER, named]))).toMatchObject([{ cells: { client_name: 'AdaA' } }]);
});

test('a row with an error, or with a formula that was never calculated, is reported and not imported without it', async () => {
  const readWith = async (cell: string) => {
    const header = rowXml(1, [...HEADER, 'External ID']);
    return read(aWorkbookOf(`${header}${rowXml(2, [...ADA, 'CRM-1'])}${rowXml(3, ADA, cell)}`));
  };
  expect(await readWith('<c r="E3" t="e"><f>VLOOKUP(1,A:A,2)</f><v>#N/A</v></c>')).toMatchObject([
    { line: 2, cells: { external_id: 'CRM-1' } },
    { line: 3, unreadable: 'the cell E3 shows an error instead of a value' },
  ]);
  for (const missing of ['<c r="E3"><f>"CRM-"&amp;ROW()</f></c>', '<c r="E3"><f>A1</f><v></v></c>']) {
    const [, row] = await readWith(missing);
    expect(row?.unreadable).toMatch(/^the cell E3 has a formula without a result/);
  }
  const [, empty] = await readWith('<c r="E3" t="str"><f>""</f><v></v></c>');
  expect(empty).toMatchObject({ line: 3, cells: { email: 'ada@mail.example' } });
});

test('a workbook that would take minutes can be left at once', async () => {
  const poison = aWorkbookOf('<'.repeat(20_000_000));
  const reading = readSpreadsheet(piecesOf(poison), new ColumnNames(), AbortSignal.timeout(500));
  await expect(reading.next()).rejects.toThrow(/timeout/);
});

test('columns may have other names, and what stands beside the columns is reported', async () => {
  const names = new ColumnNames({ mapping: { who: 'client_name' }, ignoresUnknown: true });
  const header = ['Email', 'Who', 'Client type', 'Group name', 'Colour'];
  expect(await read(aWorkbook([header, [...ADA, 'red']]), names)).toMatchObject([{ cells: { client_name: ADA[1] } }]);
  await expect(read(aWorkbook([header, ADA]))).rejects.toThrow(
    'line 1: these are not columns: Who, Colour; known: email',
  );
  expect(await read(aWorkbook([HEADER, [...ADA, null, 'note']]))).toMatchObject([
    { line: 2, unreadable: 'the row has 6 cells, but the header has 4' },
  ]);
});

test.each([
  ['is empty', new Uint8Array()],
  ['is text', new TextEncoder().encode('email,client_name\n')],
  ['is cut short', aWorkbook([HEADER, ADA]).slice(0, -100)],
  ['is damaged', aWorkbook([HEADER, ADA]).map((byte, index) => (index % 50 === 49 ? byte ^ 0xff : byte))],
  ['has broken XML', aWorkbookOf('<row r="1"><c r="A1" t="inlineStr"><is><t>x</is></c>')],
])('a file that %s is not a workbook', async (_what, bytes) => {
  await expect(read(bytes)).rejects.toThrow(
    /not an Excel workbook|is too large|the sheet is empty|the header is missing/,
  );
});

test('a workbook without rows says so', async () => {
  await expect(read(aWorkbook([]))).rejects.toThrow('line 1: the sheet is empty; it must begin with a header.');
});

test('a workbook that takes too much memory is refused, and others can still be read', async () => {
  const huge = aWorkbookOf(' '.repeat(33 * 1024 * 1024));
  expect(huge.length).toBeLessThan(100_000);
  const cell = (row: number, column: string) =>
    aWorkbookOf(`<row r="${row}"><c r="${column}${row}" t="inlineStr"><is><t>x</t></is></c></row>`);
  for (const bytes of [huge, cell(1_048_576, 'XFD'), cell(1, 'ZZZZZZ')]) {
    await expect(read(bytes)).rejects.toThrow(/^The spreadsheet is too large/);
  }
  expect(await read(aWorkbook([HEADER, ADA]))).toHaveLength(1);
});

test('reading ends at once when its signal is aborted, also while it waits for another workbook', async () => {
  const workbook = aWorkbook([HEADER, ...Array.from({ length: 4500 }, () => ADA)]);
  const leaving = new AbortController();
  const first = readSpreadsheet(piecesOf(workbook), new ColumnNames(), leaving.signal);
  await first.next();
  const waiting = readSpreadsheet(piecesOf(workbook), new ColumnNames(), leaving.signal).next();
  leaving.abort(new Error('The service stops.'));
  await expect(waiting).rejects.toThrow('The service stops.');
  await expect(Array.fromAsync(first)).rejects.toThrow('The service stops.');
  expect(await read(workbook)).toHaveLength(4500);
});

test('a cell that looks like a time and is none rejects its row only', async () => {
  const late = '<c r="E2" s="1"><v>1769850600000</v></c>';
  const rows = [
    rowXml(1, [...HEADER, 'Created at']),
    rowXml(2, ['a@mail.example', 'A', 'company', 'North'], late),
    rowXml(3, ['b@mail.example', 'B', 'company', 'North', '2026-01-31']),
  ];
  const [wrong, right] = (await read(aWorkbookOf(rows.join('')))).map((row) => parseRow(row));
  expect(wrong).toMatch(/^created_at /);
  expect(right).toMatchObject({ email: 'b@mail.example' });
});

test('several workbooks that are read at the same time, one of them not to its end, are all read', async () => {
  const workbook = aWorkbook([HEADER, ...Array.from({ length: 4500 }, () => ADA)]);
  const left = readSpreadsheet(piecesOf(workbook), new ColumnNames());
  await left.next();
  const others = Promise.all([read(workbook), read(workbook)]);
  await left.return(undefined);
  expect((await others).map(({ length }) => length)).toEqual([4500, 4500]);
});
