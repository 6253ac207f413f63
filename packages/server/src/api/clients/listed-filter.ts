import type { Static, TObject } from 'typebox';
import { dayOf, dayText, HIDDEN, type ListedFilter } from '../../domain/credentials/index.ts';
import { DAY_MS, parseInstant } from '../../domain/time.ts';
import { CLIENT_FILTERS } from './client-filters.ts';

type Filters = Static<TObject<typeof CLIENT_FILTERS>>;
type FilterName = keyof Filters;

/** Their values would identify a client, so only that they were used is kept. */
const IDENTIFYING: readonly FilterName[] = ['client_email', 'reference_id', 'external_id'];
/** Of their values there are very many. The name of a group is one of them, which is looked up before it is kept. */
const OPEN: readonly FilterName[] = ['group_token', 'created_from', 'created_to', 'group_name'];

/** Programs send the same few queries again and again, and short ones. */
const REMEMBERED_MAX = 1000;
const REMEMBERED_LENGTH_MAX = 300;
const remembered = new Map<string, ListedFilter>();

/** The filters of a call in one form, for the summary of what a key has asked for. */
export function listedFilter(call: { queryString: string; query: unknown }): ListedFilter {
  const { queryString } = call;
  const known = remembered.get(queryString);
  if (known !== undefined) return known;
  const filter = describe(call.query as Filters);
  if (queryString.length > REMEMBERED_LENGTH_MAX) return filter;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(queryString, filter);
  return filter;
}

function describe(query: Filters): ListedFilter {
  const names = (Object.keys(CLIENT_FILTERS) as FilterName[]).filter((name) => (query[name] ?? '').length > 0);
  const [open, closed] = [names.filter((name) => OPEN.includes(name)), names.filter((name) => !OPEN.includes(name))];
  const texts = (of: FilterName[]) => of.map((name) => `${name}=${shown(name, query[name] ?? '')}`).join('&');
  return {
    closed: texts(closed),
    open: texts(open.filter((name) => name !== 'group_name')),
    openNames: open.map((name) => `${name}=${HIDDEN}`).join('&'),
    groupName: query.group_name || undefined,
  };
}

function shown(name: FilterName, value: string | readonly string[]): string {
  if (IDENTIFYING.includes(name)) return HIDDEN;
  if (typeof value !== 'string') return [...new Set(value)].sort().join(',').toLowerCase();
  const time = name === 'created_from' || name === 'created_to' ? parseInstant(value) : undefined;
  return time === undefined ? value : dayAround(name, time);
}

/** A program may send another time in each call. It is widened to whole days, so that no client seems to have been left out. */
function dayAround(name: FilterName, time: number): string {
  return dayText(name === 'created_from' ? dayOf(time) : dayOf(time + DAY_MS - 1));
}
