import { RollcallError } from '../errors.ts';
import { printable } from './text-width.ts';
import { UsageError } from './usage-error.ts';

/** Resolves when the text has been taken, so that a slow reader slows us down. */
export function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

/** One line for what is to be expected; everything there is for what is not. */
export function explain(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof RollcallError) {
    // Whatever answers at the address may say anything.
    return printable(error.requestId === undefined ? error.message : `${error.message} (request ${error.requestId})`);
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
