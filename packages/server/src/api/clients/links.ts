import type { ClientsPage } from '../../domain/clients/list-clients.ts';

type QueryValues = Readonly<Record<string, string | number | readonly string[] | undefined>>;

const POSITION_PARAMETERS = new Set(['page_no', 'page', 'cursor']);

/** Programs and proxies accept headers of 8 or 16 KB. A list by ids has addresses of up to 8 KB. */
const LENGTH_MAX = 6000;

/**
 * The Link header of a page (RFC 8288). The addresses are relative, so that they are right behind any proxy. If they are
 * long, only `next` is certain to be there, without which a list could not be walked.
 */
export function linksOf(path: string, query: QueryValues, page: ClientsPage) {
  const start = `<${path}?${filtersOf(query)}`;
  const links = [`${start}page_no=1>; rel="first"`];
  if (page.prevCursor) links.push(`${start}cursor=${page.prevCursor}>; rel="prev"`);
  if (page.nextCursor) links.push(`${start}cursor=${page.nextCursor}>; rel="next"`);
  if (page.totalPages > 0) links.push(`${start}page_no=${page.totalPages}>; rel="last"`);
  const all = links.join(', ');
  return all.length <= LENGTH_MAX ? all : (links.find((link) => link.endsWith('"next"')) ?? links[0] ?? '');
}

/** The parameters that stay the same from page to page, ready for one more parameter. */
function filtersOf(query: QueryValues): string {
  let kept = '';
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && !POSITION_PARAMETERS.has(name)) kept += `${name}=${encodeValue(String(value))}&`;
  }
  return kept;
}

/** Leaves what is allowed in a query as it is, so that an address does not become longer than the one that was called. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll(/%(?:2C|3A|40|2F|3F|3B|24)/g, decodeURIComponent);
}
