import type { ClientsPage } from '../generated/api.ts';

export interface ProgressOptions {
  all: boolean;
  stderr: NodeJS.WritableStream;
  /** Whether to show one line that is updated in place: stderr is a terminal and the data goes elsewhere. */
  live: boolean;
}

export const ERASE_LINE = '\r\x1b[K';

/** Yields the same pages, and reports the progress on stderr. */
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
        ? `${listed} of ${clientsText(page.total_count)}`
        : `Page ${page.page_number} of ${page.total_pages}, ${clientsText(page.total_count)} in total`;
      if (live) stderr.write(`${ERASE_LINE}${summary}`);
      yield page;
    }
  } finally {
    if (summary) stderr.write(`${live ? ERASE_LINE : ''}${summary}.\n`);
  }
}

function clientsText(count: number): string {
  return count === 1 ? '1 client' : `${count} clients`;
}
