import { expect, test } from 'vitest';
import type { Fields } from '../domain/clients/client-columns.ts';
import { parseRow, type SourceRow } from '../domain/clients/parse-row.ts';
import { aWorkbook } from '../testing/workbook.ts';
import { previewText, toSourceRow } from './preview-file.ts';
import type { Format } from './read-clients.ts';
import { type ImportFormat, readImport } from './read-import.ts';
import { previewSpreadsheet } from './read-spreadsheet.ts';
import { suggestFields } from './suggest-fields.ts';

async function* bytesOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7);
}

const preview = (text: string, format: Format = 'csv') => previewText(bytesOf(text), format);

function imported(content: string | Uint8Array, fields: Fields, format: ImportFormat = 'csv'): Promise<SourceRow[]> {
  const request = { name: 'x', format, dryRun: false, mapping: {}, ignoresUnknown: false, fields };
  return Array.fromAsync(readImport(bytesOf(content), request));
}

test('the first rows of a file are shown as they are, and all rows are counted', async () => {
  const rows = Array.from({ length: 9 }, (_, index) => `${index};"a;b";'=1`);
  expect(await preview(['Id;Text; Formula ', ...rows, 'short'].join('\n'))).toEqual({
    columns: ['Id', 'Text', 'Formula'],
    rows: Array.from({ length: 5 }, (_, index) => ({ line: index + 2, cells: [String(index), 'a;b', '=1'] })),
    total: 10,
    dates: ['iso', 'iso', 'iso'],
    mixed_dates: [null, null, null],
    values: [['0', '1', '2', '3', '4', '5', '6', '7', '8'], ['a;b'], ['=1']],
  });
  expect((await preview('a,b\n1\n"x')).rows).toEqual([
    { line: 2, cells: [], problem: 'the row has 1 cell, but the header has 2' },
    { line: 3, cells: [], problem: 'a quotation mark is opened and not closed' },
  ]);
});

test('the columns of a file of JSON are the names of all its lines, in the order in which they appear', async () => {
  const lines = [{ b: 'x' }, { a: 1, b: null }, ...Array.from({ length: 9 }, () => ({ a: 'y' })), { late: 'z' }];
  const { columns, rows, total } = await preview(lines.map((line) => JSON.stringify(line)).join('\n'), 'ndjson');
  expect([columns, total]).toEqual([['b', 'a', 'late'], 12]);
  expect(rows.slice(0, 2)).toEqual([
    { line: 1, cells: ['x', '', ''] },
    { line: 2, cells: ['', '1', ''] },
  ]);
});

test('the form of dates is found from all rows of a file, and left open where day and month could be exchanged', async () => {
  const rows = Array.from({ length: 9 }, () => '01/02/2026;01/02/2026;01.02.2026;2026-02-01');
  const { dates } = await preview(['A;B;C;D', ...rows, '31/01/2026;;;'].join('\n'));
  expect(dates).toEqual(['day-first', null, 'day-first', 'iso']);
  const lines = [{ a: '01/02/2026' }, { b: '01/31/2026', a: 7 }].map((line) => JSON.stringify(line));
  expect((await preview(lines.join('\n'), 'ndjson')).dates).toEqual([null, 'month-first']);
  const workbook = aWorkbook([
    ['A', 'B'],
    ['31.01.2026', 'x'],
  ]);
  expect((await previewSpreadsheet(bytesOf(workbook))).dates).toEqual(['day-first', 'iso']);
});

test('a workbook is shown in the same way', async () => {
  const cells = Array.from({ length: 8 }, (_, index) => [`c${index}@mail.example`, index, null]);
  const workbook = aWorkbook([['Mail', 'Number', null], ...cells, [null, null], ['x', 'y', 'too much']]);
  expect(await previewSpreadsheet(bytesOf(workbook))).toMatchObject({
    columns: ['Mail', 'Number'],
    rows: [{ line: 2, cells: ['c0@mail.example', '0'] }, {}, {}, {}, {}],
    total: 9,
  });
  // Days are shown as days, and which sheet was read.
  const first = new Date('2026-01-31T00:00:00Z');
  const times = [first, new Date('2026-01-31T09:30:00Z'), new Date('2026-01-31T09:30:15Z')];
  const dated = await previewSpreadsheet(
    bytesOf(aWorkbook([['Since'], ...times.map((time) => [time])], ['Old', 'Notes'])),
  );
  expect(dated).toMatchObject({ dates: ['iso'], sheet: { name: 'Clients & others', others: 2 } });
  expect(dated.rows.map(({ cells }) => cells[0])).toEqual(['2026-01-31', '2026-01-31 09:30', '2026-01-31 09:30:15']);
  for (const [index, { line, cells }] of dated.rows.entries()) {
    const client = { email: 'a@x.example', client_name: 'A', client_type: 'company', group_name: 'G' };
    const read = parseRow({ line, cells: { ...client, created_at: cells[0] ?? '' } });
    expect(read, 'as the import reads it').toMatchObject({ createdAt: times[index]?.getTime() });
  }
  const short = aWorkbook([['Mail'], ['x', 'too much']]);
  expect((await previewSpreadsheet(bytesOf(short))).rows).toEqual([
    { line: 2, cells: [], problem: 'the row has 2 cells, but the header has 1' },
  ]);
});

test.each<[string, string, Format]>([
  ['an empty file', '', 'csv'],
  ['a file without a header', 'ada@mail.example,Ada\n', 'csv'],
  ['a header that is not closed', '"a,b\n', 'csv'],
  ['a file with very many columns', `${'a,'.repeat(300)}\n`, 'csv'],
  ['a file of other text', 'hello\n', 'ndjson'],
  [
    'a file with very many names',
    JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`n${index}`, '']))),
    'ndjson',
  ],
])('%s is refused with a reason', async (_what, text, format) => {
  await expect(preview(text, format)).rejects.toMatchObject({ code: 'bad_parameter' });
});

test('what was chosen decides about the columns, whatever their names are, and the preview reads rows like the import', async () => {
  const fields: Fields = ['client_name', null, 'email', 'client_type', 'group_name'];
  const rows = [
    ['Ada', 'old@mail.example', 'ada@mail.example', 'company', 'North'],
    ['Bo', '', 'bo@mail.example', 'individual', 'South'],
  ];
  const expected = rows.map(([client_name, , email, client_type, group_name]) => ({
    email,
    client_name,
    client_type,
    group_name,
  }));
  const csv = ['Name,email,Name,,Name', ...rows].join('\n');
  const json = rows.map((cells) => JSON.stringify(Object.fromEntries(cells.map((cell, index) => [`x${index}`, cell]))));
  const workbook = aWorkbook([['Name', 'email', 'Name', 'Name', 'Name'], ...rows]);
  const files: [string | Uint8Array, ImportFormat][] = [
    [csv, 'csv'],
    [json.join('\n'), 'ndjson'],
    [workbook, 'xlsx'],
  ];
  for (const [content, format] of files) {
    const read = await imported(content, fields, format);
    expect(read.map(({ cells }) => cells)).toEqual(expected);
    const shown = typeof content === 'string' ? await preview(content, format as Format) : undefined;
    expect(shown?.rows.map((row) => toSourceRow(row, fields).cells) ?? expected).toEqual(expected);
  }
  await expect(imported('a,b\n1,2\n', fields)).rejects.toThrow('the header has 2 columns, but 5 were chosen');
  const [, later] = await imported('{"a":"x"}\n{"b":"y"}\n', ['email'], 'ndjson');
  expect(later?.unreadable).toMatch(/^b is not a column/);
});

test.each<[string, (string | null)[]]>([
  [
    'email,client_name,client_type,group_name,reject_line,reject_reason',
    ['email', 'client_name', 'client_type', 'group_name', null, null],
  ],
  ['Name,E-mail,Kind,Group', ['client_name', 'email', 'client_type', 'group_name']],
  ['COMPANY;E_MAIL ADDRESS', ['client_name', 'email']],
  ['Company,Name,Email,E-Mail', [null, 'client_name', 'email', null]],
  ['Client no.,Status,Created on,Colour,', ['external_id', 'request_status', 'created_at', null, null]],
  ['Reference ID,Group token', ['reference_id', 'group_token']],
  ['A,B,C,D', [null, null, null, null]],
])('of the columns %s, the likely fields are suggested', (header, fields) => {
  expect(suggestFields(header.split(/[,;]/))).toEqual(fields);
});

test.each([
  ['E-Mail Adresse', 'email'],
  ['Adresse e-mail', 'email'],
  ['Email address', 'email'],
  ['Dirección de correo electrónico', 'email'],
  ['Kundenname', 'client_name'],
  ['Nom du client', 'client_name'],
  ['Tipo de cliente', 'client_type'],
  ['Gruppe', 'group_name'],
  ['Statut', 'request_status'],
  ['Date de création', 'created_at'],
  ['Erstellt am', 'created_at'],
  ['Número de cliente', 'external_id'],
  ['Adresse', null],
  ['Vorname', null],
])('the name %s is recognised as %s', (name, field) => {
  expect(suggestFields([name])).toEqual([field]);
});

test('where names say nothing, emails, types and request statuses are recognised by their values', () => {
  const rows = [
    { cells: ['Ada', 'ada@mail.example', 'Company', 'pending', 'x@mail.example', ''] },
    { cells: [] },
    { cells: ['Bo', 'bo@mail.example', 'individual', '', 'none', ''] },
  ];
  const fields = [null, 'email', 'client_type', 'request_status', null, null];
  expect(suggestFields(['A', 'B', 'C', 'D', 'E', 'F'], rows)).toEqual(fields);
  expect(suggestFields(['A', 'B', 'C', 'D', 'Email', 'F'], rows)).toEqual(fields.with(1, null).with(4, 'email'));
});

test('the different values of a column are found in all rows, unless they are many or long', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, index) => `${index};${index < 9 ? 'Person' : ' FIRMA '};;${'x'.repeat(index * 3)}`,
  );
  expect((await preview(['Id;Art;Leer;Lang', ...rows, '1;person;;', '1;firma'].join('\n'))).values).toEqual([
    null,
    ['Person', 'FIRMA'],
    [],
    null,
  ]);
  const lines = [{ a: 'x' }, { b: 'y', a: 7 }].map((line) => JSON.stringify(line));
  expect((await preview(lines.join('\n'), 'ndjson')).values).toEqual([['x', '7'], ['y']]);
  const sheet = [['A'], ...Array.from({ length: 12 }, (_, index) => [index < 9 ? 'Person' : 'Firma'])];
  expect(await previewSpreadsheet(bytesOf(aWorkbook(sheet)))).toMatchObject({
    total: 12,
    values: [['Person', 'Firma']],
  });
});

test('rows of separators alone are skipped like blank lines, before the header, too, and lines keep their numbers', async () => {
  const text = ';;\nMail;Name;Art\n;;\n"";" ";\t\na@mail.example;Ada;company\n;;;;;\nb@mail.example;Bo;company\n;;\n';
  expect(await preview(text)).toMatchObject({
    columns: ['Mail', 'Name', 'Art'],
    total: 2,
    rows: [{ line: 5 }, { line: 7 }],
  });
  expect(await imported(text, ['email', 'client_name', 'client_type'])).toMatchObject([{ line: 5 }, { line: 7 }]);
});
