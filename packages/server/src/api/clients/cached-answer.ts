import type { ListingCounter, ListingKind } from '../../domain/credentials/index.ts';
import type { WorkspaceVersions } from '../../domain/workspace.ts';
import { type Answer, emptyAnswer } from '../../http/answer.ts';
import { compressAnswer } from '../../http/content-encoding.ts';
import type { ApiContext } from '../define-route.ts';
import { etagOf, findEtag } from './etag.ts';
import { listedFilter } from './listed-filter.ts';
import type { PageCache } from './page-cache.ts';

export interface CachedAnswerDeps {
  versions: WorkspaceVersions;
  pageCache: PageCache;
  listings: Pick<ListingCounter, 'count'>;
}

interface Resource {
  /** Distinguishes the answers of different addresses to the same query. */
  name: ListingKind;
  /** Throws if the query would be refused. */
  checkQuery(): void;
  /** Makes the answer with its tag, and tells the stamp of the data in it. */
  make(etagAt: (stamp: string) => string): Promise<{ stamp: string; answer: Answer }>;
}

/** Answers, and notes what was asked for by which key. */
export async function cachedAnswer(deps: CachedAnswerDeps, context: ApiContext, resource: Resource): Promise<Answer> {
  const answer = await findOrMake(deps, context, resource);
  if (context.principal) deps.listings.count(context.principal, resource.name, listedFilter(context));
  return answer;
}

/** Answers 304 if the caller has the current answer, from memory if it was made before, or else makes it. */
async function findOrMake(
  { versions, pageCache }: CachedAnswerDeps,
  context: ApiContext,
  resource: Resource,
): Promise<Answer> {
  const { workspaceId, contentEncoding } = context;
  const query = `${resource.name} ${context.queryString}`;
  const stamp = await versions.current(workspaceId);
  const callerEtags = context.header('if-none-match');
  if (callerEtags.length > 0) {
    // A query that would be refused must not be answered with "not modified".
    resource.checkQuery();
    const known = findEtag(callerEtags, etagOf(workspaceId, stamp, query));
    if (known !== undefined) return emptyAnswer(304, ['ETag', known]);
  }
  const cached = pageCache.get({ workspaceId, stamp, contentEncoding, query });
  if (cached) return cached;
  const made = await resource.make((current) => etagOf(workspaceId, current, query));
  const answer = compressAnswer(made.answer, contentEncoding);
  pageCache.offer({ workspaceId, stamp: made.stamp, contentEncoding, query }, answer);
  return answer;
}
