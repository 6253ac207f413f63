import { sql, type Transaction } from 'kysely';
import type { WorkspaceVersions } from '../domain/workspace.ts';
import type { Engine } from './engines/engine.ts';
import { readStamp } from './stamp.ts';
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
