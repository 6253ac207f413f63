import type { WorkspaceRecorder } from '../change.ts';
import { Failure } from '../failure.ts';
import { type ImportChanges, type ImportJob, type ImportJobs, unknownImport } from './import-job.ts';

export async function findImport(
  { imports }: { imports: ImportJobs },
  workspaceId: number,
  id: string,
): Promise<ImportJob> {
  const job = await imports.find(workspaceId, id);
  if (!job) throw unknownImport(id);
  return job;
}

/**
 * Ends an import that is not over. The batches that were imported stay. It is on record by itself, because it may be that of
 * somebody else; the entries of an import are those of the batches.
 */
export async function cancelImportIn(
  change: { imports: ImportChanges } & WorkspaceRecorder,
  id: string,
): Promise<ImportJob> {
  const job = await change.imports.cancel(id);
  if (!job) throw unknownImport(id);
  change.record('client.import-cancelled', `${job.request.name}, started by ${job.actor.name}`);
  if (job.state === 'cancelled') return job;
  throw new Failure('conflict', `The import is over already; its state is ${job.state}.`);
}
