import type { Static, TObject } from 'typebox';
import { CLIENT_FILTERS } from './client-filters.ts';

type Filters = Static<TObject<typeof CLIENT_FILTERS>>;

/** What is asked for by these would identify a client, so only that they were used is kept. */
const IDENTIFYING: readonly string[] = ['client_email', 'reference_id', 'external_id'];
/** A program may ask for a time that is different in each call. The day says enough. */
const TIMES: readonly string[] = ['created_from', 'created_to'];
const HIDDEN = '…';
const MAX_LENGTH = 500;

/** Programs send the same few queries again and again, and short ones. */
const REMEMBERED_MAX = 1000;
const REMEMBERED_LENGTH_MAX = 300;
const remembered = new Map<string, string>();

/** The filters of a call in one form, for the summary of what a key has asked for. */
export function filterText(call: { queryString: string; query: unknown }): string {
  const { queryString } = call;
  const known = remembered.get(queryString);
  if (known !== undefined) return known;
  const text = describe(call.query as Filters);
  if (queryString.length > REMEMBERED_LENGTH_MAX) return text;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(queryString, text);
  return text;
}

function describe(query: Filters): string {
  const text = Object.keys(CLIENT_FILTERS)
    .flatMap((name) => {
      const value = query[name as keyof Filters];
      return value === undefined || value.length === 0 ? [] : `${name}=${shown(name, String(value))}`;
    })
    .join('&');
  return text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH - 1) + HIDDEN : text;
}

function shown(name: string, value: string): string {
  if (IDENTIFYING.includes(name)) return HIDDEN;
  return TIMES.includes(name) ? value.slice(0, 'YYYY-MM-DD'.length) : value;
}
