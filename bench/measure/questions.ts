import type { QuestionSamples } from './question-samples.ts';
import { listPath } from './workloads.ts';

/** A question to the API, which is measured beside a plain random page. */
export interface Question {
  name: string;
  /** The goal: how many times as long as a plain page it may take. Lists of more than five values have none. */
  atMost?: number;
  /** The path of a request, with other values each time. If the answer has pages, a random one is requested. */
  ask(samples: QuestionSamples): string;
}

/** The goals of lists and of summaries. */
export const LIST = 2;
const SUMMARY = 3;
const SUMMARY_PATH = '/api/v1/clients-summary/';

/** All questions that go beyond the first filters of the list. A new one is one more line. */
export const QUESTIONS: readonly Question[] = [
  { name: 'oldest first', atMost: LIST, ask: () => list('order=oldest') },
  { name: 'range', atMost: LIST, ask: (some) => list(some.range()) },
  { name: 'range, another one each time, first page', atMost: LIST, ask: (some) => list(some.newRange()) },
  { name: 'range, oldest first', atMost: LIST, ask: (some) => list(some.range(), 'order=oldest') },
  { name: 'range, 1 status', atMost: LIST, ask: (some) => list(some.range(), some.statuses(1)) },
  { name: '2 statuses', atMost: LIST, ask: (some) => list(some.statuses(2)) },
  { name: '4 statuses', atMost: LIST, ask: (some) => list(some.statuses(4)) },
  { name: '5 groups', atMost: LIST, ask: (some) => list(some.groups(5)) },
  { name: '20 groups', ask: (some) => list(some.groups(20)) },
  { name: '2 statuses, 3 groups', atMost: LIST, ask: (some) => list(some.statuses(2), some.groups(3)) },
  {
    name: 'range, 2 statuses, 3 groups, companies, oldest first',
    atMost: LIST,
    ask: (some) => list(some.range(), some.statuses(2), some.groups(3), 'client_type=company', 'order=oldest'),
  },
  {
    name: 'range, 4 statuses, 20 groups',
    ask: (some) => list(some.range(), some.statuses(4), some.groups(20)),
  },
  { name: 'active', atMost: LIST, ask: () => list('client_status=active') },
  { name: 'inactive', atMost: LIST, ask: () => list('client_status=inactive') },
  {
    name: 'active, range, 2 statuses, oldest first',
    atMost: LIST,
    ask: (some) => list('client_status=active', some.range(), some.statuses(2), 'order=oldest'),
  },
  {
    name: 'with external id and time of the last change',
    atMost: LIST,
    ask: () => list('include=external_id,updated_at'),
  },
  { name: 'summary', atMost: SUMMARY, ask: () => SUMMARY_PATH },
  {
    name: 'summary of 2 statuses in a range',
    atMost: SUMMARY,
    ask: (some) => `${SUMMARY_PATH}?${some.statuses(2)}&${some.range()}`,
  },
  { name: '5 references', atMost: LIST, ask: (some) => list(some.references(5)) },
  { name: '100 references', ask: (some) => list(some.references(100)) },
];

function list(...filters: string[]): string {
  return listPath(filters.join('&'));
}
