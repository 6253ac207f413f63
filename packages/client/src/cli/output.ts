import { RollcallError } from '../errors.ts';
import { printable } from './text-width.ts';
import { UsageError } from './usage-error.ts';

/** Resolves when the reader has taken the text, so that a slow reader slows the command down. */
export function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

/** One line for an expected error, and the whole stack for an unexpected one. */
export function explain(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof RollcallError) {
    // The message comes from the server, which may be any program.
    return printable(error.requestId === undefined ? error.message : `${error.message} (request ${error.requestId})`);
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
