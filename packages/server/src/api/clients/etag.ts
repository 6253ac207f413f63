import { checksum } from '../../domain/checksum.ts';

/** Names what an address has to say at this stamp of this workspace. The query is in it for those who mix up addresses. */
export function etagOf(workspaceId: number, stamp: string, query: string): string {
  return `"${workspaceId.toString(36)}-${stamp}-${checksum(query)}"`;
}

/** Whether the caller already has what the tag names (RFC 9110, weak comparison). */
export function hasEtag(ifNoneMatch: readonly string[], etag: string): boolean {
  return ifNoneMatch.some((value) =>
    value.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag),
  );
}
