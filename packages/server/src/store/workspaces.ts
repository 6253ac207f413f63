import { sql, type Transaction } from 'kysely';
import type { WorkspaceVersions } from '../domain/workspace.ts';
import type { Engine } from './engines/engine.ts';
import type { Tables } from './tables.ts';

export interface LockedWorkspace {
  /** The version that this change brings about, if it changes anything. */
  nextVersion: number;
  lastGroupId: number;
  lastClientId: number;
}

/**
 * The first statement of every change to a workspace: locks its row, so that changes to one workspace happen one after
 * the other and may read before they write.
 */
export async function lockWorkspace(db: Transaction<Tables>, workspaceId: number): Promise<LockedWorkspace> {
  const row = await db
    .updateTable('workspaces')
    .set({ version: sql`version` })
    .where('id', '=', workspaceId)
    .returning(['version', 'last_group_id', 'last_client_id'])
    .executeTakeFirstOrThrow();
  return { nextVersion: row.version + 1, lastGroupId: row.last_group_id, lastClientId: row.last_client_id };
}

/** Says that the workspace changed: caches go by the version. Also keeps the numbers that were handed out. */
export async function raiseVersion(
  db: Transaction<Tables>,
  workspaceId: number,
  numbers: { lastGroupId?: number; lastClientId?: number } = {},
): Promise<void> {
  await db
    .updateTable('workspaces')
    .set({
      version: sql`version + 1`,
      ...(numbers.lastGroupId !== undefined && { last_group_id: numbers.lastGroupId }),
      ...(numbers.lastClientId !== undefined && { last_client_id: numbers.lastClientId }),
    })
    .where('id', '=', workspaceId)
    .execute();
}

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
