import type { ClientsPage } from '../../domain/clients/list-clients.ts';

type QueryValues = Readonly<Record<string, string | number | readonly string[] | undefined>>;

const POSITION_PARAMETERS = new Set(['page_no', 'page', 'cursor']);

/** The Link header of a page (RFC 8288). The addresses are relative, so that they are right behind any proxy. */
export function linksOf(path: string, query: QueryValues, page: ClientsPage) {
  const start = `<${path}?${filtersOf(query)}`;
  const links = [`${start}page_no=1>; rel="first"`];
  if (page.prevCursor) links.push(`${start}cursor=${page.prevCursor}>; rel="prev"`);
  if (page.nextCursor) links.push(`${start}cursor=${page.nextCursor}>; rel="next"`);
  if (page.totalPages > 0) links.push(`${start}page_no=${page.totalPages}>; rel="last"`);
  return links.join(', ');
}

/** The parameters that stay the same from page to page, ready for one more parameter. */
function filtersOf(query: QueryValues): string {
  const kept = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && !POSITION_PARAMETERS.has(name)) kept.set(name, String(value));
  }
  return kept.size === 0 ? '' : `${kept}&`;
}
