import { FORMATS, type FormatName } from './formats.ts';
import { write } from './output.ts';
import type { PrintedPage } from './printed-page.ts';
import type { ProcessIo, Terminal } from './process-io.ts';

/** Prints clients in the format, or as a table on a terminal and as NDJSON elsewhere. */
export async function printPages(
  pages: AsyncIterable<PrintedPage>,
  format: FormatName | undefined,
  io: Pick<ProcessIo, 'env' | 'stdout'>,
): Promise<void> {
  const terminal = terminalOf(io);
  const formatted = FORMATS[format ?? (terminal ? 'table' : 'ndjson')](pages, terminal);
  for await (const text of formatted) await write(io.stdout, text);
}

/** The terminal that the data goes to, if any. */
export function terminalOf({ env, stdout }: Pick<ProcessIo, 'env' | 'stdout'>): Terminal | undefined {
  return stdout.isTTY ? { columns: stdout.columns ?? 80, colour: !env.NO_COLOR } : undefined;
}
