import { checksum } from '../../domain/checksum.ts';

/** Identifies the answer to a query at this stamp of the workspace. The query is included for callers that mix up addresses. */
export function etagOf(workspaceId: number, stamp: string, query: string): string {
  return `"${workspaceId.toString(36)}-${stamp}-${checksum(query)}"`;
}

/** Whether the caller already has the answer with this tag (RFC 9110, weak comparison). */
export function hasEtag(ifNoneMatch: readonly string[], etag: string): boolean {
  return ifNoneMatch.some((value) =>
    value.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag),
  );
}
