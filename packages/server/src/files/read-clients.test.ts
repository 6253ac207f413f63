import { isUtf8 } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRow, type SourceRow } from '../domain/clients/parse-row.ts';
import { CsvSplitter } from './csv-records.ts';
import { decode } from './decode.ts';
import { escapeFormula, unescapeFormula } from './formula.ts';
import { type Format, readClients } from './read-clients.ts';
import { readImport } from './read-import.ts';
import { unpack } from './unpack.ts';
import { csvLine } from './write-clients.ts';
import { rejectedRowLine, rejectedRowsHeader } from './write-rejected-rows.ts';

const HEADER = 'email,client_name,client_type,group_name';

async function read(text: string | Uint8Array, format: Format = 'csv', pieceSize = 7): Promise<SourceRow[]> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return Array.fromAsync(readClients(piecesOf(bytes, pieceSize), format));
}

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
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
    ['other separators in the header', `E-Mail,Client name,CLIENT-TYPE,groupName\na@x.example,Ada,company,North\n`],
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
    ['email,client_name,client_type', 'line 1: the header is missing group_name.'],
    [`${HEADER},e-mai`, /^line 1: e-mai is not a column; did you mean email\?$/],
    [`${HEADER},shoe_size`, 'line 1: shoe_size is not a column (known: email'],
    [`${HEADER},Email`, 'line 1: the header has the column email twice.'],
    [`"${HEADER}`, 'line 1: a quotation mark is opened and not closed.'],
    ['{"email":"a@x.example"}', 'line 1: a quotation mark is in the middle of a cell.'],
    ['PK\u0003\u0004\u0000\u0000', 'line 1: the first row must be a header'],
  ])('%j is refused as a whole', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  test('names all unknown columns at once, with the line of the header, and says what can be done', async () => {
    const text = '\n\nE-Mail,Name,Client type,Group,Phone\na@x.example,Ada,company,North,1\n';
    await expect(read(text)).rejects.toThrow(
      /^line 3: these are not columns: Name \(did you mean client_name\?\), Group \(did you mean group_\w+\?\), Phone; known: email, .*\. On the command line, --mapping gives a column one of these names and --ignore-unknown-columns/,
    );
  });

  test('with a bad row continues with the next one, whatever is wrong', async () => {
    const good = 'good@x.example,Good,company,North';
    const bad = [
      ['x@x.example,Eve"s,company,North', 'a quotation mark is in the middle of a cell'],
      ['x@x.example,"Eve"s,company,North', 'a quotation mark is in the middle of a cell'],
      ['x@x.example', 'the row has 1 cell, but the header has 4'],
      ['x@x.example,Eve,company', 'the row has 3 cells, but the header has 4'],
      ['x@x.example,Eve,company,North,South', 'the row has 5 cells, but the header has 4'],
      ['x@x.example,E\0e,company,North', 'client_name must not contain a NUL character'],
      ['x@x.example,Eve,person,North', 'client_type must be one of individual, company, not “person”'],
      ['no-at-sign,Eve,company,North', 'email must be an email address'],
      ['x@x.example,,company,', 'client_name, group_name must not be empty'],
      [
        'no-at-sign,,person,North',
        'client_name must not be empty; email must be an email address; client_type must be one of individual, company, not “person”',
      ],
      [`x@x.example,${'E'.repeat(10_000)},company,North`, 'client_name must have at most 200 characters'],
      [`x@x.example,${'E'.repeat(10_000_000)},company,North`, 'the line is longer than 1048576 characters'],
    ] as const;
    const text = [HEADER, ...bad.flatMap(([row]) => [row, good])].join('\n');
    const rows = await read(text, 'csv', 65_536);
    expect(problems(rows)).toEqual(bad.map(([, reason], index) => `${2 + index * 2}: ${reason}`));
    expect(rows.filter((row) => row.cells.email === 'good@x.example')).toHaveLength(bad.length);
  });

  test('with a row that is too long keeps what it has from its beginning, and what is too much', async () => {
    const [row] = await read(`${HEADER.replaceAll(',', ';')}\nx@x.example;Eve;company;North;South;East\n`);
    const cells = { email: 'x@x.example', client_name: 'Eve', client_type: 'company', group_name: 'North' };
    expect(row).toMatchObject({ cells, raw: 'x@x.example;Eve;company;North;South;East', surplus: 'South;East' });
  });

  test('with a row that is too short keeps what it has', async () => {
    const [row] = await read(`${HEADER.replaceAll(',', ';')}\nx@x.example;Eve\n`);
    expect(row).toMatchObject({ cells: { email: 'x@x.example', client_name: 'Eve' }, raw: 'x@x.example;Eve' });
  });

  test.each([
    ['short', 'x@x.example,Eve,company'],
    ['long', 'x@x.example,Eve,company,North,E1,'],
  ])('with a row that is too %s writes it so that it is rejected until somebody looks at it', async (_, text) => {
    const [row] = await read(`${HEADER},external_id\n${text}\n`);
    const rejected = rejectedRowLine({ row: row as SourceRow, reason: 'wrong' });
    const [again] = await read(`${rejectedRowsHeader()}${rejected}`);
    expect(again?.cells).toEqual({ email: text });
    expect(parseRow(again as SourceRow, {})).toBeTypeOf('string');
  });

  test('whose last quotation mark is never closed loses that line only', async () => {
    const rows = await read(`${HEADER}\nx@x.example,"Eve,company,North\ngood@x.example,Good,company,North\n`);
    expect(problems(rows)).toEqual(['2: a quotation mark is opened and not closed']);
    expect(rows.at(-1)?.cells.email).toBe('good@x.example');
  });

  test('that is one endless line is refused as soon as the line is too long', async () => {
    let bytesRead = 0;
    async function* endless() {
      const piece = Buffer.alloc(65_536, 'x');
      for (; ; bytesRead += piece.length) yield piece;
    }
    await expect(Array.fromAsync(readClients(endless(), 'csv'))).rejects.toThrow(
      'line 1: the line is longer than 1048576 characters.',
    );
    expect(bytesRead).toBeLessThan(2 ** 21);
    await expect(read(`\n\n${'x'.repeat(1_048_577)}`, 'csv', 65_536)).rejects.toThrow('line 3: the line is longer');
  });

  test('with a quotation mark that is closed too late loses that line only, and the rest is still read in time', async () => {
    const good = 'good@x.example,Good,company,North\n';
    const text = `${HEADER}\nx@x.example,"Eve\n",${'y'.repeat(5_000_000)}\n${good}x@x.example,"${good.repeat(40_000)}`;
    const rows = await read(text, 'csv', 4096);
    expect(problems(rows).slice(0, 3)).toEqual([
      '2: a quotation mark is opened and not closed within 1048576 characters',
      '3: the line is longer than 1048576 characters',
      '5: a quotation mark is opened and not closed within 1048576 characters',
    ]);
    expect(rows.filter((row) => row.cells.email === 'good@x.example')).toHaveLength(40_000);
  });

  test('is split into the same records whatever its chunks, its mistakes and its length are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '"', '"', ',', '\n', '\r'), maxLength: 60 });
    const pieceSizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 });
    const recordsOf = (pieces: string[]) => {
      const splitter = new CsvSplitter(',', 1, 12);
      return [...pieces.flatMap((piece) => [...splitter.push(piece, false)]), ...splitter.push('', true)];
    };
    fc.assert(
      fc.property(text, pieceSizes, (text, sizes) => {
        const pieces: string[] = [];
        for (let [at, next] = [0, 0]; at < text.length; next++) {
          const end = at + (sizes[next % sizes.length] ?? 1);
          pieces.push(text.slice(at, end));
          at = end;
        }
        expect(recordsOf(pieces)).toEqual(recordsOf([text]));
      }),
      { numRuns: 2000 },
    );
  });

  test('returns any text that was written, whatever its chunks are', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', ' ', "'", '=', '-', '@', '＝'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { minLength: 1 }),
        fc.integer({ min: 1, max: 9 }),
        async (cells, size) => {
          const lines = cells.map(([name, group]) =>
            csvLine(['a@x.example', escapeFormula(name), 'company', escapeFormula(group)]),
          );
          const rows = await read(`${HEADER}\n${lines.join('')}`, 'csv', size);
          expect(rows.map((row) => [row.cells.client_name ?? '', row.cells.group_name ?? ''])).toEqual(cells);
        },
      ),
    );
  });
});

const NAMES = `${HEADER}\na@x.example,Ada Müller €,company,Näher\nb@x.example,Bob,company,😀\n`;

function utf16(text: string, littleEndian: boolean): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return littleEndian ? bytes : bytes.swap16();
}

describe('a file in another encoding', () => {
  test.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${NAMES}`)],
    ['UTF-16, little endian', utf16(`\ufeff${NAMES}`, true)],
    ['UTF-16, big endian', utf16(`\ufeff${NAMES}`, false)],
    ['UTF-16, little endian, without a byte order mark', utf16(NAMES, true)],
    ['UTF-16, big endian, without a byte order mark', utf16(NAMES, false)],
  ])('is read: %s', async (_what, bytes) => {
    const expected = await read(NAMES);
    expect(expected.map((row) => row.cells.client_name)).toEqual(['Ada Müller €', 'Bob']);
    for (const pieceSize of [1, 2, 3, 1000]) expect(await read(bytes, 'csv', pieceSize)).toEqual(expected);
    const json = bytes.includes(0)
      ? utf16('\ufeff{"email":"ä@x.example"}', true)
      : Buffer.from('{"email":"ä@x.example"}');
    expect(await read(json, 'ndjson')).toMatchObject([{ line: 1, cells: { email: 'ä@x.example' } }]);
  });

  const windows1252 = Buffer.from(`${HEADER}\n\na@x.example,M\xfcller \x80,company,North\n`, 'latin1');

  test.each([1, 2, 3, 5, 1000])(
    'is refused with the line and the likely encoding, in chunks of %i bytes',
    async (pieceSize) => {
      const refused = read(windows1252, 'csv', pieceSize);
      await expect(refused).rejects.toThrow(/^line 3: this is not UTF-8 text; it looks like Windows-1252/);
      await expect(refused).rejects.toMatchObject({ likely: 'windows-1252' });
      const cut = Buffer.from(NAMES).subarray(0, -2);
      await expect(read(cut, 'csv', pieceSize)).rejects.toThrow(/^line 3: this is not UTF-8 text/);
    },
  );

  test('is read when the encoding is named', async () => {
    const source = async function* () {
      yield windows1252;
    };
    const rows = await Array.fromAsync(readClients(source(), 'csv', 'windows-1252'));
    expect(rows.map((row) => row.cells.client_name)).toEqual(['Müller €']);
  });

  test('that is not text at all is refused as such', async () => {
    const archive = Buffer.from('PK\x03\x04\x14\x00\x06\x00\xff\xfe', 'latin1');
    await expect(read(archive)).rejects.toThrow('line 1: this is not text; save the file as CSV or NDJSON in UTF-8.');
    const wrongHeader = Buffer.from('name\nM\xfcller', 'latin1');
    await expect(read(wrongHeader, 'csv', 1000)).rejects.toThrow('line 1: name is not a column');
  });

  test('of any bytes is either valid UTF-8 and read as such, or refused', async () => {
    const bytes = fc.uint8Array({ maxLength: 12 }).map((end) => Buffer.concat([Buffer.from(`${HEADER}\n`), end]));
    await fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 9 }), async (bytes, pieceSize) => {
        const pieces = async function* () {
          for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
        };
        const read = Array.fromAsync(decode(pieces())).then((texts) => texts.join(''));
        if (isUtf8(bytes)) expect(await read).toBe(bytes.toString());
        else await expect(read).rejects.toThrow(/^line \d+: this is not/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an NDJSON file', () => {
  test('has one object per line', async () => {
    const rows = await read(
      '{"email":"a@x.example","client_name":null}\n\n{"reject_line":"7","updated_at":"2026-01-01","email":"b@x.example"}',
      'ndjson',
    );
    expect(rows).toMatchObject([
      { line: 1, cells: { email: 'a@x.example' } },
      { line: 3, cells: { email: 'b@x.example' } },
    ]);
  });

  test('with a bad line continues with the next one', async () => {
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
      'the line is not a JSON object',
      'the line is not a JSON object',
      'the line is not a JSON object',
      'emial is not a column; did you mean email?',
      'email must be a string',
      'the line is longer than 1048576 characters',
      undefined,
    ]);
  });

  test.each(['', HEADER, '[{"email":"a@x.example"}]'])('%j is refused as a whole', async (text) => {
    await expect(read(text, 'ndjson')).rejects.toThrow(/^line 1: /);
  });
});

/** The characters that a formula can begin with; the last four are full-width. */
const STARTS = ['=', '+', '-', '@', '\t', '\r', '\uff1d', '\uff0b', '\uff0d', '\uff20'];

test('no exported cell runs as a formula, and every cell is imported unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", ...STARTS, 'a') }), (cell) => {
      expect(STARTS).not.toContain(escapeFormula(cell)[0]);
      expect(unescapeFormula(escapeFormula(cell))).toBe(cell);
    }),
  );
});

test('no reason for a rejected row runs as a formula', async () => {
  const [, row] = await read('{"email":"a@x.example"}\n{"=cmd":"b"}', 'ndjson');
  const [reason] = problems([row as SourceRow]);
  expect(reason).toMatch(/^2: =cmd is not a column/);
  expect(rejectedRowLine({ row: row as SourceRow, reason: '=cmd is not a column' })).toContain(
    ",2,'=cmd is not a column",
  );
});

describe('a packed file', () => {
  const packed = gzipSync(NAMES);
  const read = (bytes: Uint8Array, pieceSize = 7) => {
    const request = { name: 'x', format: 'csv', dryRun: false, mapping: {}, ignoresUnknown: false };
    return Array.fromAsync(readImport(piecesOf(bytes, pieceSize), request));
  };
  const unpacked = (rows: SourceRow[]) => rows.map(({ line, cells }) => ({ line, cells }));

  test.each([1, 7, 10_000])(
    'is read like the file in it, however it arrives (in pieces of %i bytes)',
    async (pieceSize) => {
      expect(unpacked(await read(packed, pieceSize))).toEqual(unpacked(await read(Buffer.from(NAMES))));
    },
  );

  test.each([
    ['cut short', packed.subarray(0, -9)],
    ['damaged', Uint8Array.from(packed, (byte, index) => (index === packed.length - 6 ? byte ^ 0xff : byte))],
    ['not a gzip file', Uint8Array.from([0x1f, 0x8b, 1, 2, 3])],
  ])('that is %s is reported as such', async (_what, bytes) => {
    await expect(read(bytes)).rejects.toThrow('The file begins like a gzip file, but it is damaged or incomplete.');
  });

  test('is not unpacked beyond a limit', async () => {
    const source = async function* () {
      yield gzipSync('\n'.repeat(100_000));
    };
    await expect(Array.fromAsync(unpack(source(), 99_999))).rejects.toThrow(/too large/);
    expect(Buffer.concat(await Array.fromAsync(unpack(source(), 100_000)))).toHaveLength(100_000);
  });

  test('passes on what went wrong while it was read', async () => {
    const source = async function* () {
      yield packed.subarray(0, 30);
      throw new Error('The disk is gone.');
    };
    await expect(Array.fromAsync(unpack(source()))).rejects.toThrow('The disk is gone.');
  });
});
