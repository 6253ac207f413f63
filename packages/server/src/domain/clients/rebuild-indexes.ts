import type { Actor, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';

export interface RebuildIndexesDeps {
  workspaceIds(): Promise<number[]>;
  changeWorkspace: ChangeWorkspace<{ rebuildIndex(): Promise<void> }>;
  clock: Clock;
}

/** Rebuilds the counted indexes one workspace at a time, so that changes to other workspaces do not have to wait. */
export async function rebuildIndexes(
  { workspaceIds, changeWorkspace, clock }: RebuildIndexesDeps,
  actor: Actor,
): Promise<void> {
  for (const workspaceId of await workspaceIds()) {
    await changeWorkspace({ workspaceId, actor, at: clock.now() }, async (change) => {
      await change.rebuildIndex();
      change.record('workspace.index-rebuilt', '');
    });
  }
}
