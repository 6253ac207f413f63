/** What a workspace's version is now. It rises with every change to its keys, groups or clients; caches go by it. */
export interface WorkspaceVersions {
  current(workspaceId: number): Promise<number>;
}
