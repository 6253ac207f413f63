import type { ClientsPage } from '../generated/api.ts';

export interface ProgressOptions {
  all: boolean;
  stderr: NodeJS.WritableStream;
  /** A line that is written over and over, where a person watches and the data goes elsewhere. */
  live: boolean;
}

export const ERASE_LINE = '\r\x1b[K';

/** The same pages, with what has come so far on stderr. */
export async function* withProgress(
  pages: AsyncIterable<ClientsPage>,
  { all, stderr, live }: ProgressOptions,
): AsyncGenerator<ClientsPage> {
  let listed = 0;
  let summary = '';
  try {
    for await (const page of pages) {
      listed += page.results.length;
      summary = all
        ? `${listed} of ${page.total_count} clients`
        : `Page ${page.page_number} of ${page.total_pages}, ${page.total_count} clients in all`;
      if (live) stderr.write(`${ERASE_LINE}${summary}`);
      yield page;
    }
  } finally {
    if (summary) stderr.write(`${live ? ERASE_LINE : ''}${summary}.\n`);
  }
}
