import { LRUCache } from 'lru-cache';
import type { WorkspaceVersions } from '../domain/workspace.ts';
import type { Engine } from './engines/engine.ts';
import { readStamp } from './stamp.ts';

/** About fifteen thousand workspaces. */
const STAMPS_BYTES = 4 * 1024 * 1024;

/** Measured and rounded up: a stamp has about 30 characters. */
const STAMP_BYTES = 270;

interface CachedStamp {
  stamp: string;
  /** The data version of the engine when the stamp was read. */
  asOf: number;
}

/** Caches stamps in memory until the engine reports that the data may have changed. */
export function openWorkspaceVersions(engine: Engine): WorkspaceVersions {
  const stamps = new LRUCache<number, CachedStamp>({ maxSize: STAMPS_BYTES, sizeCalculation: () => STAMP_BYTES });

  async function read(workspaceId: number, asOf: number): Promise<string> {
    const stamp = await readStamp(engine.reads, workspaceId);
    // Not cached if something changed in the meantime, because it could already be out of date.
    if ((await engine.dataVersion()) === asOf) stamps.set(workspaceId, { stamp, asOf });
    return stamp;
  }

  return {
    current: async (workspaceId) => {
      const now = await engine.dataVersion();
      const known = stamps.get(workspaceId);
      return known?.asOf === now ? known.stamp : read(workspaceId, now);
    },
  };
}
