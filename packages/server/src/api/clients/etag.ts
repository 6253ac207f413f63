import { checksum } from '../../domain/checksum.ts';
import { etagOfContent } from '../../http/content-encoding.ts';

/** Identifies the answer to a query at this stamp of the workspace. The query is included for callers that mix up addresses. */
export function etagOf(workspaceId: number, stamp: string, query: string): string {
  return `"${workspaceId.toString(36)}-${stamp}-${checksum(query)}"`;
}

/**
 * The tag that the caller has sent for the current answer, however that was compressed (RFC 9110, weak comparison), or
 * `undefined` if it has none or another one.
 */
export function findEtag(ifNoneMatch: readonly string[], etag: string): string | undefined {
  const sent = ifNoneMatch.flatMap((value) => value.split(',')).map((each) => each.trim().replace(/^W\//, ''));
  return sent.includes('*') ? etag : sent.find((each) => etagOfContent(each) === etag);
}

/** Whether a header is `*` or a list of tags, as they are sent in `ETag`. */
export function isEtagList(value: string): boolean {
  return value.trim() === '*' || value.split(',').every((each) => /^\s*(W\/)?"[^"]*"\s*$/.test(each));
}
