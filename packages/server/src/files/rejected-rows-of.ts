import type { ImportJobs } from '../domain/clients/import-job.ts';
import { rejectedRowLine, rejectedRowsHeader } from './write-rejected-rows.ts';

/** After the file that they are from: `clients-rejected.csv` for `clients.xlsx`. */
export function rejectedRowsName(fileName: string): string {
  return `${fileName.replace(/\.gz$/i, '').replace(/\.(csv|tsv|txt|ndjson|jsonl|xlsx)$/i, '')}-rejected.csv`;
}

/** The rejected rows of an import as a CSV file, with the line and the reason of each. */
export async function* rejectedRowsOf(
  imports: Pick<ImportJobs, 'rejects'>,
  workspaceId: number,
  id: string,
): AsyncGenerator<string> {
  yield rejectedRowsHeader();
  for (let after = 0; ; ) {
    const rejects = await imports.rejects(workspaceId, id, after);
    const last = rejects.at(-1);
    if (!last) return;
    yield rejects.map(rejectedRowLine).join('');
    after = last.rowNumber;
  }
}
