import type { WorkspaceVersions } from '../domain/workspace.ts';
import type { Engine } from './engines/engine.ts';
import { readStamp } from './stamp.ts';

const STAMPS_KEPT = 100_000;

/** Stamps in memory, forgotten as soon as the engine says that anything may have changed. */
export function openVersions(engine: Engine): WorkspaceVersions {
  const stamps = new Map<number, string>();
  let asOf = Number.NaN;

  async function read(workspaceId: number): Promise<string> {
    const readAsOf = asOf;
    const stamp = await readStamp(engine.reads, workspaceId);
    const now = await engine.dataVersion();
    if (stamps.size >= STAMPS_KEPT) stamps.clear();
    // Not remembered if something changed meanwhile: it could already be old.
    if (asOf === readAsOf && now === readAsOf) stamps.set(workspaceId, stamp);
    return stamp;
  }

  return {
    current: async (workspaceId) => {
      const now = await engine.dataVersion();
      if (now !== asOf) {
        stamps.clear();
        asOf = now;
      }
      return stamps.get(workspaceId) ?? read(workspaceId);
    },
  };
}
