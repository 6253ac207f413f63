import type { HeaderList } from './answer.ts';

/** For data: a browser that is led to open it runs, loads and frames nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

const YEAR_SECONDS = 31_536_000;

export interface CommonHeaders {
  /** Where the listener is reached from outside. Over https, browsers are told never to come without it. */
  publicUrl: string | undefined;
  contentSecurityPolicy?: string;
  referrerPolicy?: 'no-referrer' | 'same-origin';
  others?: HeaderList;
}

/** What every answer of a listener carries, whoever gives it: a route, the router, or the parser before there is a request. */
export function commonHeaders({
  publicUrl,
  contentSecurityPolicy = DATA_POLICY,
  referrerPolicy = 'no-referrer',
  others = [],
}: CommonHeaders): HeaderList {
  const isHttps = publicUrl?.startsWith('https://') ?? false;
  return [
    ...['Cache-Control', 'no-store'],
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Content-Security-Policy', contentSecurityPolicy],
    ...['Referrer-Policy', referrerPolicy],
    ...(isHttps ? ['Strict-Transport-Security', `max-age=${YEAR_SECONDS}`] : []),
    ...others,
  ];
}

export function asRecord(headers: HeaderList): Record<string, string> {
  const record: Record<string, string> = {};
  for (let index = 0; index + 1 < headers.length; index += 2) record[headers[index] ?? ''] = headers[index + 1] ?? '';
  return record;
}
