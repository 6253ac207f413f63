import type { ChangeBy, WorkspaceRecorder } from '../change.ts';
import { Failure } from '../failure.ts';
import { type ImportChanges, type ImportJob, type ImportJobs, isOver, unknownImport } from './import-job.ts';

export async function findImport(
  { imports }: { imports: ImportJobs },
  workspaceId: number,
  id: string,
): Promise<ImportJob> {
  const job = await imports.find(workspaceId, id);
  if (!job) throw unknownImport(id);
  return job;
}

/** Removes a check that the actor has made only because an import should follow it, and that is over: what comes after it tells the same. */
export async function removeCheck(
  { imports }: { imports: ImportJobs },
  { workspaceId, actor }: ChangeBy,
  id: string,
): Promise<void> {
  const check = await imports.find(workspaceId, id);
  if (check?.request.dryRun && isOver(check) && check.actor.name === actor.name) await imports.remove(workspaceId, id);
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
