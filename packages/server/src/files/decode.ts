import { Failure } from '../domain/failure.ts';

/** The text encodings that an imported file may have. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The file is not in the encoding that it was read as. Nothing from this line on was yielded. */
export class WrongEncoding extends Failure {
  /** The encoding that it probably has, or `undefined` when it does not look like text. */
  readonly likely: Encoding | undefined;
  /** The first line that is wrong. */
  readonly line: number;

  constructor(line: number, likely: Encoding | undefined) {
    const guess = likely
      ? 'this is not UTF-8 text; it looks like Windows-1252, which older spreadsheets and Windows programs write. Name the encoding windows-1252, or save the file as UTF-8'
      : 'this is not text; save the file as CSV or NDJSON in UTF-8';
    super('bad_parameter', `line ${line}: ${guess}.`);
    this.likely = likely;
    this.line = line;
  }
}

const NOTHING = new Uint8Array();
const NEWLINE = 0x0a;

/** As long as the longest byte order mark. */
const MARK_LENGTH = 3;

/**
 * Decodes the text of a file. A byte order mark determines the encoding and is removed. UTF-16 is recognised without one,
 * too, because no header begins with a NUL character. Everything else is read as UTF-8 unless another encoding is named:
 * single-byte encodings cannot be told apart.
 */
export async function* decode(source: AsyncIterable<Uint8Array>, named?: Encoding): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let beginning: Uint8Array = NOTHING;
  for await (const bytes of source) {
    if (decoder) {
      yield* decoder.push(bytes);
      continue;
    }
    beginning = joined(beginning, bytes);
    if (beginning.length < MARK_LENGTH) continue;
    decoder = decoderFor(beginning, named);
    yield* decoder.push(beginning);
  }
  if (!decoder) {
    decoder = decoderFor(beginning, named);
    yield* decoder.push(beginning);
  }
  yield decoder.end();
}

interface Decoder {
  push(bytes: Uint8Array): Generator<string>;
  end(): string;
}

function decoderFor(beginning: Uint8Array, named: Encoding | undefined): Decoder {
  const encoding = markedEncoding(beginning) ?? named ?? encodingOfZeros(beginning) ?? 'utf-8';
  return encoding === 'utf-8' ? new Utf8Decoder() : new OtherDecoder(encoding);
}

function markedEncoding([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

function encodingOfZeros([first, second]: Uint8Array): Encoding | undefined {
  if (second === 0 && first) return 'utf-16le';
  return first === 0 && second ? 'utf-16be' : undefined;
}

/** Half of a surrogate pair becomes U+FFFD, which no field accepts. Windows-1252 has a character for every byte. */
class OtherDecoder implements Decoder {
  readonly #decoder: TextDecoder;

  constructor(encoding: Encoding) {
    this.#decoder = new TextDecoder(encoding);
  }

  *push(bytes: Uint8Array): Generator<string> {
    yield this.#decoder.decode(bytes, { stream: true });
  }

  end(): string {
    return this.#decoder.decode();
  }
}

/** Strict, because text that was decoded wrongly cannot be repaired later. It counts lines, so that an error can name one. */
class Utf8Decoder implements Decoder {
  #line = 1;
  #isFirst = true;
  /** The first bytes of a character whose remaining bytes have not arrived yet. */
  #pending: Uint8Array = NOTHING;

  *push(bytes: Uint8Array): Generator<string> {
    const piece = joined(this.#pending, bytes);
    const whole = piece.subarray(0, piece.length - incompleteBytes(piece));
    this.#pending = piece.slice(whole.length);
    const text = strictly(whole, this.#isFirst);
    if (text === undefined) yield* this.#upToWrongLine(whole);
    else yield this.#counted(text);
  }

  end(): string {
    if (this.#pending.length > 0) throw new WrongEncoding(this.#line, 'windows-1252');
    return '';
  }

  #counted(text: string): string {
    this.#isFirst &&= text === '';
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#line++;
    return text;
  }

  /** Yields everything before the wrong line, so that a wrong header is reported first. */
  *#upToWrongLine(bytes: Uint8Array): Generator<string> {
    for (let start = 0; ; ) {
      const newline = bytes.indexOf(NEWLINE, start);
      const line = bytes.subarray(start, newline === -1 ? bytes.length : newline + 1);
      const text = strictly(line, this.#isFirst);
      if (text === undefined) throw new WrongEncoding(this.#line, line.includes(0) ? undefined : 'windows-1252');
      yield this.#counted(text);
      start += line.length;
    }
  }
}

const STRICT_FIRST = new TextDecoder('utf-8', { fatal: true });
const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function strictly(bytes: Uint8Array, isFirst: boolean): string | undefined {
  try {
    return (isFirst ? STRICT_FIRST : STRICT).decode(bytes);
  } catch {
    return undefined;
  }
}

/** How many bytes at the end belong to a character that is not complete. */
function incompleteBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0x80 && byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
