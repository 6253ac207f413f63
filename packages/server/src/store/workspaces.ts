import type { WorkspaceVersions } from '../domain/workspace.ts';
import type { Engine } from './engines/engine.ts';

const VERSIONS_KEPT = 100_000;

/** Versions in memory, forgotten as soon as the engine says that anything may have changed. */
export function openVersions(engine: Engine): WorkspaceVersions {
  const versions = new Map<number, number>();
  let asOf = Number.NaN;

  async function read(workspaceId: number): Promise<number> {
    const readAsOf = asOf;
    const { version } = await engine.reads
      .selectFrom('workspaces')
      .where('id', '=', workspaceId)
      .select('version')
      .executeTakeFirstOrThrow();
    const now = await engine.dataVersion();
    if (versions.size >= VERSIONS_KEPT) versions.clear();
    // Not remembered if something changed meanwhile: it could already be old.
    if (asOf === readAsOf && now === readAsOf) versions.set(workspaceId, version);
    return version;
  }

  return {
    current: async (workspaceId) => {
      const now = await engine.dataVersion();
      if (now !== asOf) {
        versions.clear();
        asOf = now;
      }
      return versions.get(workspaceId) ?? read(workspaceId);
    },
  };
}
