import type { ClientsPage } from '../domain/list-clients.ts';

/** The Link header of a page (RFC 8288): relative, so that it holds behind any proxy. */
export function linksOf(path: string, query: Readonly<Record<string, string | number | undefined>>, page: ClientsPage) {
  const { page_no, page: _alias, cursor, ...rest } = query;
  const link = (rel: string, place: Record<string, string | number>) => {
    const parameters = Object.entries({ ...rest, ...place }).filter(([, value]) => value !== undefined);
    return `<${path}?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}>; rel="${rel}"`;
  };
  const links = [link('first', { page_no: 1 })];
  if (page.prevCursor) links.push(link('prev', { cursor: page.prevCursor }));
  if (page.nextCursor) links.push(link('next', { cursor: page.nextCursor }));
  if (page.totalPages > 0) links.push(link('last', { page_no: page.totalPages }));
  return links.join(', ');
}
