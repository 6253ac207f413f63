import type { HeaderList } from './header-list.ts';

/** For answers that are data: a browser that is made to open one runs, loads and frames nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

const YEAR_SECONDS = 31_536_000;

export interface CommonHeaders {
  /** The address by which callers reach the listener. With https, browsers are told never to use plain http. */
  publicUrl: string | undefined;
  contentSecurityPolicy?: string;
  referrerPolicy?: 'no-referrer' | 'same-origin';
  /** The request headers that answers depend on. */
  vary?: string;
  others?: HeaderList;
}

/** The headers of every answer of a listener, whether a route, the framework or the HTTP parser produces it. */
export function commonHeaders({
  publicUrl,
  contentSecurityPolicy = DATA_POLICY,
  referrerPolicy = 'no-referrer',
  vary = 'Accept-Encoding',
  others = [],
}: CommonHeaders): HeaderList {
  const isHttps = publicUrl?.startsWith('https://') ?? false;
  return [
    ...['Cache-Control', 'no-store'],
    ...['Vary', vary],
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Content-Security-Policy', contentSecurityPolicy],
    ...['Referrer-Policy', referrerPolicy],
    ...(isHttps ? ['Strict-Transport-Security', `max-age=${YEAR_SECONDS}`] : []),
    ...others,
  ];
}
