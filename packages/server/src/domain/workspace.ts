/**
 * The stamp of a workspace as it is now: the epoch of the database and the version of the workspace, which rises with every
 * change to its keys, groups or clients. Caches go by it, and compare it with others for being the same and nothing else.
 */
export interface WorkspaceVersions {
  current(workspaceId: number): Promise<string>;
}
