import type { ClientsPage } from './generated/api.ts';

/**
 * The query of the page after this one, or undefined after the last. The service's own link wins, for its cursor
 * neither skips nor repeats; a service that sends no links is walked by page numbers.
 */
export function nextQuery(query: URLSearchParams, page: ClientsPage, link: string | null): URLSearchParams | undefined {
  if (link !== null) return queryOfLink(link, 'next');
  if (query.has('cursor') || page.page_number >= page.total_pages) return undefined;
  const next = new URLSearchParams(query);
  next.set('page_no', String(page.page_number + 1));
  return next;
}

/**
 * Only the query of a link is used, on our own address: behind a proxy the service may not know its public one,
 * and a token must not follow a link to another host.
 */
function queryOfLink(header: string, relation: string): URLSearchParams | undefined {
  for (const [, target = '', parameters = ''] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel="?([^";,]*)/i.exec(parameters)?.[1]?.toLowerCase().split(/\s+/) ?? [];
    if (relations.includes(relation)) return new URLSearchParams(/\?([^#]*)/.exec(target)?.[1]);
  }
  return undefined;
}
