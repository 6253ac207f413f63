import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';

const STDERR = 2;

/** Lines are written together: one write for each would take a tenth of the time of a request. */
const WRITE_CHARACTERS = 64 * 1024;
const FLUSH_MS = 250;

/** What may wait while nothing can be written; beyond it lines are dropped, so that memory does not grow. */
const WAITING_CHARACTERS_MAX = 1024 * 1024;

/** How soon a pipe that was full is tried again, at first and at the longest. */
const FULL_FIRST_MS = 5;
const FULL_LONGEST_MS = 250;

/** How long somebody who does not read is waited for at the end of the log, and at the end of the process. */
const CLOSE_MS = 1000;
const LAST_WORDS_MS = 200;

const LINE_BREAK = 10;

/** What is being written, of which `written` bytes are out. */
interface Piece {
  bytes: Buffer;
  written: number;
  /** How many dropped lines its first line tells of. */
  tells: number;
}

/**
 * Writes lines to stderr and never fails: whoever serves must not stop because nobody keeps the log. What cannot be written
 * (a full disk, a reader that has stopped reading) is dropped and counted, and the first line that gets through says so.
 */
export class LogOutput {
  readonly #descriptor: number;
  readonly #timer: NodeJS.Timeout;
  #waiting = '';
  #piece: Piece | undefined;
  #isUnderWay = false;
  #isMidLine = false;
  #dropped = 0;
  #reason = '';
  #fullForMs = FULL_FIRST_MS;

  constructor(descriptor = descriptorOfStderr()) {
    this.#descriptor = descriptor;
    this.#timer = setInterval(() => this.flush(), FLUSH_MS).unref();
  }

  /** Takes one line with its line break. */
  write(line: string): void {
    if (this.#waiting.length + line.length > WAITING_CHARACTERS_MAX) {
      this.#drop(1, 'nobody reads it');
      return;
    }
    this.#waiting += line;
    if (this.#waiting.length >= WRITE_CHARACTERS) this.flush();
  }

  /** Begins to write what waits. */
  flush(): void {
    if (!this.#piece) this.#write();
  }

  /** Waits until all is written, but not for long. What is said afterwards is written when the process ends. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const deadline = performance.now() + CLOSE_MS;
    this.flush();
    while (this.#piece && performance.now() < deadline) {
      await sleep(FULL_FIRST_MS);
      this.flush();
    }
  }

  /** For the end of the process, when nothing can be waited for but in place. */
  flushNow(): void {
    const deadline = performance.now() + LAST_WORDS_MS;
    // What is under way in another thread is written before the process ends.
    if (this.#isUnderWay) this.#piece = undefined;
    for (let piece = this.#next(); piece; piece = this.#next()) {
      try {
        this.#advance(piece, writeSync(this.#descriptor, piece.bytes, piece.written));
      } catch (error) {
        if (!isFull(error)) this.#giveUp(piece, error);
        if (!isFull(error) || performance.now() > deadline) return;
        pause(FULL_FIRST_MS);
      }
    }
  }

  /** One write at a time, in another thread: a slow disk must not keep anybody waiting. */
  #write(): void {
    const piece = this.#next();
    if (!piece || this.#isUnderWay) return;
    this.#isUnderWay = true;
    const { bytes, written } = piece;
    write(this.#descriptor, bytes, written, bytes.length - written, null, (error, count) => {
      this.#isUnderWay = false;
      if (error && isFull(error)) return this.#tryAgainLater();
      this.#fullForMs = FULL_FIRST_MS;
      if (error) return this.#giveUp(piece, error);
      this.#advance(piece, count);
      if (this.#piece || this.#waiting.length >= WRITE_CHARACTERS) this.#write();
    });
  }

  #tryAgainLater(): void {
    setTimeout(() => this.#write(), this.#fullForMs).unref();
    this.#fullForMs = Math.min(this.#fullForMs * 2, FULL_LONGEST_MS);
  }

  #next(): Piece | undefined {
    if (!this.#piece && (this.#waiting !== '' || this.#dropped > 0)) {
      const tells = this.#dropped;
      const text = (this.#isMidLine ? '\n' : '') + (tells > 0 ? notice(tells, this.#reason) : '') + this.#waiting;
      this.#waiting = '';
      this.#piece = { bytes: Buffer.from(text), written: 0, tells };
    }
    return this.#piece;
  }

  #advance(piece: Piece, count: number): void {
    piece.written += count;
    if (count > 0) this.#isMidLine = piece.bytes[piece.written - 1] !== LINE_BREAK;
    if (piece.written < piece.bytes.length) return;
    this.#dropped -= piece.tells;
    this.#piece = undefined;
  }

  #giveUp({ bytes, written, tells }: Piece, error: unknown): void {
    this.#piece = undefined;
    const isTold = tells > 0 && bytes.subarray(0, written).includes(LINE_BREAK, 1);
    if (isTold) this.#dropped -= tells;
    // A line break that only ends what was cut off before, and our own line, are no lines that anybody misses.
    const rest = bytes.subarray(written === 0 && bytes[0] === LINE_BREAK ? 1 : written);
    this.#drop(linesIn(rest) - (tells > 0 && !isTold ? 1 : 0), codeOf(error) ?? 'it cannot be written');
  }

  #drop(lines: number, reason: string): void {
    this.#dropped += lines;
    this.#reason = reason;
  }
}

/**
 * A pipe or a terminal is opened once more, because a write to it must not wait for whoever reads, and whether it does is
 * otherwise shared with, and undone by, every process that has the same stderr. A file must not be: where its next line
 * goes is shared, too.
 */
function descriptorOfStderr(): number {
  // What others say on stderr must not end the process either. Nor may it wait: once asked for, a pipe or a socket never makes it.
  process.stderr.on('error', () => {});
  if (fstatSync(STDERR).isFIFO() || isatty(STDERR)) {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    try {
      return openSync('/proc/self/fd/2', O_WRONLY | O_NONBLOCK | O_NOCTTY);
    } catch {
      // Not on this system, or it belongs to another user.
    }
  }
  return STDERR;
}

function notice(lines: number, reason: string): string {
  return `{"level":40,"time":${Date.now()},"dropped":${lines},"reason":"${reason}","msg":"lines of the log were dropped"}\n`;
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_BREAK); at !== -1; at = bytes.indexOf(LINE_BREAK, at + 1)) lines++;
  return lines;
}

function isFull(error: unknown): boolean {
  return codeOf(error) === 'EAGAIN';
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
