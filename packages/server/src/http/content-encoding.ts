import type { Transform } from 'node:stream';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import type { Answer, StreamAnswer } from './answer.ts';
import type { HeaderList } from './header-list.ts';

/** How the body of an answer is compressed. */
export type ContentEncoding = 'br' | 'gzip';

/** Brotli first: where a caller takes both alike, it is smaller and faster (decision 82). */
const ENCODINGS: readonly ContentEncoding[] = ['br', 'gzip'];

/** A smaller body hardly gets smaller. */
export const COMPRESSED_MIN_BYTES = 1024;

const GZIP = { level: 5 };
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 3,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};

/** Programs send the same few headers again and again. */
const REMEMBERED_MAX = 100;
const remembered = new Map<string, ContentEncoding | undefined>();

/** The encoding that the caller prefers, from the values of its `Accept-Encoding` header (RFC 9110, section 12.5.3). */
export function chooseEncoding(acceptEncoding: readonly string[]): ContentEncoding | undefined {
  if (acceptEncoding.length === 0) return undefined;
  const accepted = acceptEncoding.join(',');
  if (remembered.has(accepted)) return remembered.get(accepted);
  const chosen = choose(accepted);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(accepted, chosen);
  return chosen;
}

function choose(accepted: string): ContentEncoding | undefined {
  const weights = new Map<string, number>();
  for (const item of accepted.split(',')) {
    const [name = '', ...parameters] = item.toLowerCase().split(';');
    const weight = parameters
      .find((parameter) => parameter.trim().startsWith('q='))
      ?.trim()
      .slice(2);
    weights.set(name.trim(), weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const [best] = ENCODINGS.toSorted((one, other) => weightOf(other) - weightOf(one));
  return best !== undefined && weightOf(best) > 0 ? best : undefined;
}

/** The answer with a compressed body, if that is worth it and has not been done. */
export function compressAnswer(answer: Answer, encoding: ContentEncoding | undefined): Answer {
  const { body, headers } = answer;
  if (encoding === undefined || typeof body !== 'string' || body.length < COMPRESSED_MIN_BYTES) return answer;
  const compressed = compress(Buffer.from(body, answer.encoding), encoding);
  return { ...answer, body: compressed, headers: headersFor(headers, encoding, compressed.length) };
}

export function compress(bytes: Buffer, encoding: ContentEncoding): Buffer {
  const params = { ...BROTLI.params, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const compressed = encoding === 'gzip' ? gzipSync(bytes, GZIP) : brotliCompressSync(bytes, { params });
  // Copied, because the result is a small part of a buffer of 16 KB, which a cached page would keep in memory.
  const copy = Buffer.allocUnsafeSlow(compressed.length);
  compressed.copy(copy);
  return copy;
}

/** A file is compressed while it is written, whatever its size, which is not known before. */
export function compressStream(
  answer: StreamAnswer,
  encoding: ContentEncoding | undefined,
): { headers: HeaderList; compressor: Transform | undefined } {
  if (encoding === undefined) return { headers: answer.headers, compressor: undefined };
  const compressor = encoding === 'gzip' ? createGzip(GZIP) : createBrotliCompress(BROTLI);
  return { headers: headersFor(answer.headers, encoding), compressor };
}

/** A compressed body is another representation: it has another length, and another tag (RFC 9110, section 8.8.3). */
function headersFor(headers: HeaderList, encoding: ContentEncoding, length?: number): string[] {
  const changed = headers.map((value, index) => {
    if (index % 2 === 0) return value;
    const name = headers[index - 1]?.toLowerCase();
    if (name === 'etag') return etagFor(value, encoding);
    return name === 'content-length' && length !== undefined ? String(length) : value;
  });
  return [...changed, 'Content-Encoding', encoding];
}

function etagFor(etag: string, encoding: ContentEncoding): string {
  return `${etag.slice(0, -1)}.${encoding}"`;
}

/** The tag without the encoding, for comparing contents. */
export function etagOfContent(etag: string): string {
  return etag.replace(/\.(?:br|gzip)"$/, '"');
}
