import { LRUCache } from 'lru-cache';
import type { WorkspaceVersions } from '../domain/workspace.ts';
import type { Engine } from './engines/engine.ts';
import { readStamp } from './stamp.ts';

/** Some fifteen thousand workspaces. */
const STAMPS_BYTES = 4 * 1024 * 1024;

/** Measured, on the high side: a stamp has some 30 characters. */
const STAMP_BYTES = 270;

interface KnownStamp {
  stamp: string;
  /** What the engine's data version was. */
  asOf: number;
}

/** Stamps in memory, good until the engine says that anything may have changed. */
export function openVersions(engine: Engine): WorkspaceVersions {
  const stamps = new LRUCache<number, KnownStamp>({ maxSize: STAMPS_BYTES, sizeCalculation: () => STAMP_BYTES });

  async function read(workspaceId: number, asOf: number): Promise<string> {
    const stamp = await readStamp(engine.reads, workspaceId);
    // Not remembered if something changed meanwhile: it could already be old.
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
