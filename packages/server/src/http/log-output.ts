import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';

const STDERR = 2;

/** Lines are written together, because one write for each would take a tenth of the time of a request. */
const WRITE_CHARACTERS = 64 * 1024;
const FLUSH_MS = 250;

/** How much may wait while the output cannot be written. Lines beyond it are dropped, so that memory does not grow. */
const WAITING_CHARACTERS_MAX = 1024 * 1024;

/** How long to wait before a full pipe is tried again: the first time, and at most. */
const RETRY_FIRST_MS = 5;
const RETRY_LONGEST_MS = 250;

/** How long to wait for a reader that does not read: when the log is closed, and when the process exits. */
const CLOSE_MS = 1000;
const EXIT_MS = 200;

const LINE_BREAK = 10;

/** Lines that are being written together. */
interface Chunk {
  bytes: Buffer;
  /** How many of the bytes have been written. */
  written: number;
  /** How many dropped lines its first line reports. */
  reported: number;
}

/**
 * Writes lines to stderr and never fails, because the service must not stop when its log cannot be written. Lines that
 * cannot be written (a full disk, a reader that has stopped reading) are dropped and counted, and the next line that is
 * written reports how many.
 */
export class LogOutput {
  readonly #descriptor: number;
  readonly #timer: NodeJS.Timeout;
  #waiting = '';
  #chunk: Chunk | undefined;
  #isWriting = false;
  #isMidLine = false;
  #dropped = 0;
  #reason = '';
  #retryMs = RETRY_FIRST_MS;

  constructor(descriptor = descriptorOfStderr()) {
    this.#descriptor = descriptor;
    this.#timer = setInterval(() => this.flush(), FLUSH_MS).unref();
  }

  /** Accepts one line with its line break. */
  write(line: string): void {
    if (this.#waiting.length + line.length > WAITING_CHARACTERS_MAX) {
      this.#drop(1, 'nobody reads it');
      return;
    }
    this.#waiting += line;
    if (this.#waiting.length >= WRITE_CHARACTERS) this.flush();
  }

  /** Begins to write the lines that wait. */
  flush(): void {
    if (!this.#chunk) this.#write();
  }

  /** Waits for a short time until everything is written. Lines that are added later are written when the process exits. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const deadline = performance.now() + CLOSE_MS;
    this.flush();
    while (this.#chunk && performance.now() < deadline) {
      await sleep(RETRY_FIRST_MS);
      this.flush();
    }
  }

  /** For the exit of the process, when no event can be waited for any more. */
  flushNow(): void {
    const deadline = performance.now() + EXIT_MS;
    // A write that is under way in another thread finishes before the process exits.
    if (this.#isWriting) this.#chunk = undefined;
    for (let chunk = this.#next(); chunk; chunk = this.#next()) {
      try {
        this.#advance(chunk, writeSync(this.#descriptor, chunk.bytes, chunk.written));
      } catch (error) {
        if (!isFull(error)) this.#giveUp(chunk, error);
        if (!isFull(error) || performance.now() > deadline) return;
        pause(RETRY_FIRST_MS);
      }
    }
  }

  /** One write at a time, in another thread, so that a slow disk does not block the event loop. */
  #write(): void {
    const chunk = this.#next();
    if (!chunk || this.#isWriting) return;
    this.#isWriting = true;
    const { bytes, written } = chunk;
    write(this.#descriptor, bytes, written, bytes.length - written, null, (error, count) => {
      this.#isWriting = false;
      if (error && isFull(error)) return this.#retryLater();
      this.#retryMs = RETRY_FIRST_MS;
      if (error) return this.#giveUp(chunk, error);
      this.#advance(chunk, count);
      if (this.#chunk || this.#waiting.length >= WRITE_CHARACTERS) this.#write();
    });
  }

  #retryLater(): void {
    setTimeout(() => this.#write(), this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_LONGEST_MS);
  }

  #next(): Chunk | undefined {
    if (!this.#chunk && (this.#waiting !== '' || this.#dropped > 0)) {
      const reported = this.#dropped;
      const text = (this.#isMidLine ? '\n' : '') + (reported > 0 ? notice(reported, this.#reason) : '') + this.#waiting;
      this.#waiting = '';
      this.#chunk = { bytes: Buffer.from(text), written: 0, reported };
    }
    return this.#chunk;
  }

  #advance(chunk: Chunk, count: number): void {
    chunk.written += count;
    if (count > 0) this.#isMidLine = chunk.bytes[chunk.written - 1] !== LINE_BREAK;
    if (chunk.written < chunk.bytes.length) return;
    this.#dropped -= chunk.reported;
    this.#chunk = undefined;
  }

  #giveUp({ bytes, written, reported }: Chunk, error: unknown): void {
    this.#chunk = undefined;
    const isReported = reported > 0 && bytes.subarray(0, written).includes(LINE_BREAK, 1);
    if (isReported) this.#dropped -= reported;
    // A line break that only ends a line cut off earlier, and our own report, do not count as dropped lines.
    const rest = bytes.subarray(written === 0 && bytes[0] === LINE_BREAK ? 1 : written);
    this.#drop(linesIn(rest) - (reported > 0 && !isReported ? 1 : 0), codeOf(error) ?? 'it cannot be written');
  }

  #drop(lines: number, reason: string): void {
    this.#dropped += lines;
    this.#reason = reason;
  }
}

/**
 * A pipe or a terminal is opened once more in non-blocking mode, because a write must not wait for the reader. The mode of
 * the existing descriptor is shared with every process that has the same stderr, and each of them could change it back. A
 * file must not be opened again, because the position of its next line is shared as well.
 */
function descriptorOfStderr(): number {
  // Other writes to stderr must not end the process either. Reading the property also makes pipes and sockets non-blocking.
  process.stderr.on('error', () => {});
  if (fstatSync(STDERR).isFIFO() || isatty(STDERR)) {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    try {
      return openSync('/proc/self/fd/2', O_WRONLY | O_NONBLOCK | O_NOCTTY);
    } catch {
      // Not available on this system, or stderr belongs to another user.
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
