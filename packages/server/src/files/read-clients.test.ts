import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRow, type SourceRow } from '../domain/import-clients.ts';
import { neutralise, restore } from './formula.ts';
import { type Format, readClients } from './read-clients.ts';
import { csvLine } from './write-clients.ts';
import { rejectLine } from './write-rejects.ts';

const HEADER = 'email,client_name,client_type,group_name';

async function read(text: string | Uint8Array, format: Format = 'csv', pieceSize = 7): Promise<SourceRow[]> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  async function* pieces() {
    for (let start = 0; start < bytes.length; start += pieceSize) yield bytes.subarray(start, start + pieceSize);
  }
  return Array.fromAsync(readClients(pieces(), format));
}

const problems = (rows: SourceRow[]) =>
  rows.flatMap((row) => {
    const parsed = parseRow(row);
    return typeof parsed === 'string' ? `${row.line}: ${parsed}` : [];
  });

describe('a CSV file', () => {
  test.each([
    ['commas', `${HEADER}\na@x.example,Ada,company,North\n`],
    ['semicolons', `${HEADER.replaceAll(',', ';')}\na@x.example;Ada;company;North\n`],
    ['tabs', `${HEADER.replaceAll(',', '\t')}\na@x.example\tAda\tcompany\tNorth\n`],
    ['another order', 'group_name,client_type,client_name,email\nNorth,company,Ada,a@x.example'],
    ['a byte order mark', `\ufeff${HEADER}\na@x.example,Ada,company,North`],
    ['Windows line ends', `${HEADER}\r\n"a@x.example",Ada,company,North\r\n`],
    ['empty lines', `\n${HEADER}\n\n\na@x.example,Ada,company,North\n\n`],
    ['quotes everywhere', `"email","client_name","client_type","group_name"\n"a@x.example","Ada","company","North"\n`],
    ['capitals in the header', `Email,CLIENT_NAME,client_type,Group_Name\na@x.example,Ada,company,North\n`],
  ])('may have %s', async (_what, text) => {
    const rows = await read(text);
    expect(rows.map((row) => row.cells)).toEqual([
      { email: 'a@x.example', client_name: 'Ada', client_type: 'company', group_name: 'North' },
    ]);
  });

  test('may have separators, quotes and line breaks within quotes, and lines are counted right', async () => {
    const rows = await read(`${HEADER}\na@x.example,"A, ""B""\nC",company,North\nbad,Dan,company,North\n`);
    expect(rows[0]?.cells.client_name).toBe('A, "B"\nC');
    expect(problems(rows)).toEqual(['4: email must be an email address']);
  });

  test.each([
    ['', 'line 1: the file is empty'],
    ['email,client_name,client_type', 'line 1: the header lacks group_name.'],
    [`${HEADER},e-mail`, 'line 1: e-mail is not a column; did you mean email?'],
    [`${HEADER},shoe_size`, 'line 1: shoe_size is not a column (known: email'],
    [`${HEADER},Email`, 'line 1: the column email stands in the header twice.'],
    [`"${HEADER}`, 'line 1: a quote is opened and not closed.'],
    ['{"email":"a@x.example"}', 'line 1: a quote stands where none may stand.'],
    ['PK\u0003\u0004\u0000\u0000', 'line 1: pk???? is not a column'],
  ])('%j is not what it claims to be', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  test('with a bad row goes on with the next one, whatever is wrong', async () => {
    const good = 'good@x.example,Good,company,North';
    const bad = [
      ['x@x.example,Eve"s,company,North', 'a quote stands where none may stand'],
      ['x@x.example,"Eve"s,company,North', 'a quote stands where none may stand'],
      ['x@x.example,Eve,company', 'it has 3 cells where the header has 4'],
      ['x@x.example,Eve,company,North,South', 'it has 5 cells where the header has 4'],
      ['x@x.example,E\0e,company,North', 'client_name must not contain a NUL character'],
      ['x@x.example,Eve,person,North', 'client_type must be one of individual, company'],
      ['no-at-sign,Eve,company,North', 'email must be an email address'],
      ['x@x.example,,company,', 'client_name, group_name must not be empty'],
      [`x@x.example,${'E'.repeat(10_000)},company,North`, 'client_name must have at most 200 characters'],
      [`x@x.example,${'E'.repeat(10_000_000)},company,North`, 'the line is longer than 1048576 characters'],
    ] as const;
    const text = [HEADER, ...bad.flatMap(([row]) => [row, good])].join('\n');
    const rows = await read(text, 'csv', 65_536);
    expect(problems(rows)).toEqual(bad.map(([, reason], index) => `${2 + index * 2}: ${reason}`));
    expect(rows.filter((row) => row.cells.email === 'good@x.example')).toHaveLength(bad.length);
  });

  test('whose last quote is never closed gives up that line only', async () => {
    const rows = await read(`${HEADER}\nx@x.example,"Eve,company,North\ngood@x.example,Good,company,North\n`);
    expect(problems(rows)).toEqual(['2: a quote is opened and not closed']);
    expect(rows.at(-1)?.cells.email).toBe('good@x.example');
  });

  test('with bytes that are not UTF-8 says so in its row', async () => {
    const text = Buffer.from(
      `${HEADER}\na@x.example,M\xfcller,company,North\nb@x.example,Bob,company,North\n`,
      'latin1',
    );
    expect(problems(await read(text))).toEqual(['2: client_name is not valid UTF-8 text']);
  });

  test('gives back any text that was written, however it arrives in pieces', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', ' ', "'", '=', '-', '@', '＝'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { minLength: 1 }),
        fc.integer({ min: 1, max: 9 }),
        async (cells, size) => {
          const lines = cells.map(([name, group]) =>
            csvLine(['a@x.example', neutralise(name), 'company', neutralise(group)]),
          );
          const rows = await read(`${HEADER}\n${lines.join('')}`, 'csv', size);
          expect(rows.map((row) => [row.cells.client_name ?? '', row.cells.group_name ?? ''])).toEqual(cells);
        },
      ),
    );
  });
});

describe('an NDJSON file', () => {
  test('has one object per line', async () => {
    const rows = await read(
      '{"email":"a@x.example","client_name":null}\n\n{"reject_line":"7","email":"b@x.example"}',
      'ndjson',
    );
    expect(rows).toEqual([
      { line: 1, cells: { email: 'a@x.example' } },
      { line: 3, cells: { email: 'b@x.example' } },
    ]);
  });

  test('with a bad line goes on with the next one', async () => {
    const lines = [
      '{"email":"a@x.example"}',
      '{"email":',
      '[]',
      '7',
      '{"emial":"a"}',
      '{"email":7}',
      `"${'x'.repeat(2_000_000)}"`,
      '{"email":"z@x.example"}',
    ];
    const rows = await read(lines.join('\n'), 'ndjson', 65_536);
    expect(rows.map((row) => row.unreadable)).toEqual([
      undefined,
      'it is not a JSON object',
      'it is not a JSON object',
      'it is not a JSON object',
      'emial is not a column; did you mean email?',
      'email must be a string',
      'the line is longer than 1048576 characters',
      undefined,
    ]);
  });

  test.each(['', HEADER, '[{"email":"a@x.example"}]'])('%j is not what it claims to be', async (text) => {
    await expect(read(text, 'ndjson')).rejects.toThrow(/^line 1: /);
  });
});

/** What a formula can begin with; the last four are full-width. */
const STARTS = ['=', '+', '-', '@', '\t', '\r', '\uff1d', '\uff0b', '\uff0d', '\uff20'];

test('no cell that is exported runs as a formula, and every cell comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", ...STARTS, 'a') }), (cell) => {
      expect(STARTS).not.toContain(neutralise(cell)[0]);
      expect(restore(neutralise(cell))).toBe(cell);
    }),
  );
});

test('no reason for which a row was rejected runs as a formula', async () => {
  const [, row] = await read('{"email":"a@x.example"}\n{"=cmd":"b"}', 'ndjson');
  const [reason] = problems([row as SourceRow]);
  expect(reason).toMatch(/^2: =cmd is not a column/);
  expect(rejectLine({ row: row as SourceRow, reason: '=cmd is not a column' })).toContain(",2,'=cmd is not a column");
});
