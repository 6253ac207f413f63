import type { Actor, ChangeInstallation, ChangeWorkspace } from '../change.ts';
import type { Clock } from '../clock.ts';

export interface RebuildIndexesDeps {
  workspaceIds(): Promise<number[]>;
  changeWorkspace: ChangeWorkspace<{ rebuildIndex(): Promise<void> }>;
  changeInstallation: ChangeInstallation<{ rebuildWords(): Promise<void> }>;
  clock: Clock;
}

/**
 * Rebuilds the counted indexes one workspace at a time, so that changes to other workspaces do not have to wait, and then the
 * index of words, which all workspaces share.
 */
export async function rebuildIndexes(
  { workspaceIds, changeWorkspace, changeInstallation, clock }: RebuildIndexesDeps,
  actor: Actor,
): Promise<void> {
  for (const workspaceId of await workspaceIds()) {
    await changeWorkspace({ workspaceId, actor, at: clock.now(), isLong: true }, async (change) => {
      await change.rebuildIndex();
      change.record('workspace.index-rebuilt', '');
    });
  }
  await changeInstallation({ actor, at: clock.now() }, async (change) => {
    await change.rebuildWords();
    change.recordInstallation('installation.words-rebuilt', '');
  });
}
