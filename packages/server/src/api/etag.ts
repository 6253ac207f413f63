import { hash } from 'node:crypto';

/** Names what the list with this query is at this version of this workspace, and nothing else ever. */
export function etagOf(workspaceId: number, version: number, query: string): string {
  return `"${version.toString(36)}-${hash('sha1', `${workspaceId} ${version} ${query}`, 'base64url').slice(0, 22)}"`;
}

/** Whether the caller already has what the tag names (RFC 9110, weak comparison). */
export function hasEtag(ifNoneMatch: readonly string[], etag: string): boolean {
  return ifNoneMatch.some((value) =>
    value.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag),
  );
}
