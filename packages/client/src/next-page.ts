/** The place of a page in its list. */
interface NumberedPage {
  page_number: number;
  total_pages: number;
}

/**
 * The query of the next page, or `undefined` after the last one. The link of the service is preferred, because its cursor
 * neither skips nor repeats an entry. Without links, page numbers are used.
 */
export function nextQuery(
  query: URLSearchParams,
  page: NumberedPage,
  link: string | null,
): URLSearchParams | undefined {
  if (link !== null) return queryOfLink(link, 'next');
  if (query.has('cursor') || page.page_number >= page.total_pages) return undefined;
  const next = new URLSearchParams(query);
  next.set('page_no', String(page.page_number + 1));
  return next;
}

/**
 * Uses only the query of a link, with our own base address: behind a proxy, the service may not know its public address,
 * and the token must not be sent to another host.
 */
function queryOfLink(header: string, relation: string): URLSearchParams | undefined {
  for (const [, target = '', parameters = ''] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel="?([^";,]*)/i.exec(parameters)?.[1]?.toLowerCase().split(/\s+/) ?? [];
    if (relations.includes(relation)) return new URLSearchParams(/\?([^#]*)/.exec(target)?.[1]);
  }
  return undefined;
}
