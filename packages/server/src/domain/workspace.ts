/**
 * The current stamp of a workspace: the epoch of the database and the version of the workspace, which increases with every
 * change to its keys, groups or clients. Caches use it to see whether their data is current; stamps are only compared for
 * equality.
 */
export interface WorkspaceVersions {
  current(workspaceId: number): Promise<string>;
}
