import type { Page } from '../peers/api-calls.ts';

/** A search in the dashboard. */
export interface Search {
  name: string;
  /** The query, given one of the clients. */
  ask(client: Page['results'][number]): Record<string, string>;
}

/** The sample clients have 25 last names, which is the hard case: real names are far rarer. A new search is one more line. */
export const SEARCHES: readonly Search[] = [
  { name: 'a name that nobody has', ask: () => ({ search: 'nobody' }) },
  { name: 'an email', ask: ({ email }) => ({ search: email }) },
  { name: 'a reference', ask: ({ reference_id }) => ({ search: reference_id }) },
  { name: 'the beginning of a reference', ask: ({ reference_id }) => ({ search: reference_id.slice(0, 6) }) },
  { name: 'a first and a last name', ask: () => ({ search: 'okafor fatima' }) },
  {
    name: 'a first and a last name, one status',
    ask: () => ({ search: 'okafor fatima', request_status: 'pending' }),
  },
  { name: 'a last name', ask: () => ({ search: 'garcia' }) },
  { name: 'a last name, one status', ask: () => ({ search: 'garcia', request_status: 'pending' }) },
  { name: 'a word of every client', ask: () => ({ search: 'exam' }) },
];
