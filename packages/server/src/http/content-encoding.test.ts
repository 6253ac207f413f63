import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonAnswer } from './answer.ts';
import { chooseEncoding, compressAnswer, etagOfContent } from './content-encoding.ts';
import { asRecord } from './header-list.ts';

describe('the encoding of an answer', () => {
  test.each([
    [[], undefined],
    [[''], undefined],
    [['identity'], undefined],
    [['gzip'], 'gzip'],
    [['GZIP'], 'gzip'],
    [['gzip, deflate, br'], 'br'],
    [['gzip', 'br'], 'br'],
    [['br;q=0.5, gzip'], 'gzip'],
    [['br; q=0.8 , gzip;q=0.2'], 'br'],
    [['gzip;q=0'], undefined],
    [['*'], 'br'],
    [['*;q=0.1, br;q=0'], 'gzip'],
    [['*, gzip;q=0, br;q=0'], undefined],
    [['gzip;q=nonsense'], undefined],
    [['deflate, compress, zstd'], undefined],
  ])('for Accept-Encoding %j is %s', (accepted, expected) => {
    expect(chooseEncoding(accepted)).toBe(expected);
    expect(chooseEncoding(accepted), 'the second time').toBe(expected);
  });

  test('is found for any header, and always one that the header names', () => {
    const property = fc.property(fc.array(fc.string(), { maxLength: 5 }), (accepted) => {
      const chosen = chooseEncoding(accepted);
      if (chosen) expect(accepted.join().toLowerCase()).toMatch(new RegExp(`${chosen}|\\*`));
    });
    fc.assert(property);
  });
});

describe('a compressed answer', () => {
  const body = JSON.stringify({ names: Array.from({ length: 100 }, (_, n) => `Ада Абебе ${n}`) });
  const answer = jsonAnswer(200, body, ['ETag', '"1-k5.17-x"']);

  test.each([
    ['gzip' as const, gunzipSync],
    ['br' as const, brotliDecompressSync],
  ])('has the same content, with %s', (encoding, decompress) => {
    const compressed = compressAnswer(answer, encoding);
    expect(decompress(compressed.body as Buffer).toString()).toBe(body);
    const headers = asRecord(compressed.headers);
    expect(headers).toMatchObject({
      'Content-Encoding': encoding,
      'Content-Length': String(compressed.body.length),
      ETag: `"1-k5.17-x.${encoding}"`,
    });
    expect(etagOfContent(headers.ETag ?? '')).toBe('"1-k5.17-x"');
    expect(compressAnswer(compressed, encoding), 'compressed again').toBe(compressed);
  });

  test('is not made when nobody asked for it, or when the body is small', () => {
    expect(compressAnswer(answer, undefined)).toBe(answer);
    const small = jsonAnswer(200, '{}');
    expect(compressAnswer(small, 'gzip')).toBe(small);
  });
});
