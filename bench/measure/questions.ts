import type { QuestionSamples } from './question-samples.ts';
import { listPath } from './workloads.ts';

/** A question to the API, which is measured beside a plain random page. */
export interface Question {
  name: string;
  /** How many values its filters list. The goal of twice a plain page is for up to five. */
  values: number;
  /** The path of a request, with other values each time. If the answer has pages, a random one is requested. */
  ask(samples: QuestionSamples): string;
}

const SUMMARY_PATH = '/api/v1/clients-summary/';

/** All questions that go beyond the first filters of the list. A new one is one more line. */
export const QUESTIONS: readonly Question[] = [
  { name: 'oldest first', values: 0, ask: () => list('order=oldest') },
  { name: 'range', values: 0, ask: (some) => list(some.range()) },
  { name: 'range, another one each time, first page', values: 0, ask: (some) => list(some.newRange()) },
  { name: 'range, oldest first', values: 0, ask: (some) => list(some.range(), 'order=oldest') },
  { name: 'range, 1 status', values: 1, ask: (some) => list(some.range(), some.statuses(1)) },
  { name: '2 statuses', values: 2, ask: (some) => list(some.statuses(2)) },
  { name: '4 statuses', values: 4, ask: (some) => list(some.statuses(4)) },
  { name: '5 groups', values: 5, ask: (some) => list(some.groups(5)) },
  { name: '20 groups', values: 20, ask: (some) => list(some.groups(20)) },
  { name: '2 statuses, 3 groups', values: 5, ask: (some) => list(some.statuses(2), some.groups(3)) },
  {
    name: 'range, 2 statuses, 3 groups, companies, oldest first',
    values: 5,
    ask: (some) => list(some.range(), some.statuses(2), some.groups(3), 'client_type=company', 'order=oldest'),
  },
  {
    name: 'range, 4 statuses, 20 groups',
    values: 24,
    ask: (some) => list(some.range(), some.statuses(4), some.groups(20)),
  },
  { name: 'active', values: 1, ask: () => list('client_status=active') },
  { name: 'inactive', values: 1, ask: () => list('client_status=inactive') },
  {
    name: 'active, range, 2 statuses, oldest first',
    values: 3,
    ask: (some) => list('client_status=active', some.range(), some.statuses(2), 'order=oldest'),
  },
  {
    name: 'with external id and time of the last change',
    values: 0,
    ask: () => list('include=external_id,updated_at'),
  },
  { name: 'summary', values: 0, ask: () => SUMMARY_PATH },
  {
    name: 'summary of 2 statuses in a range',
    values: 2,
    ask: (some) => `${SUMMARY_PATH}?${some.statuses(2)}&${some.range()}`,
  },
  { name: '5 references', values: 5, ask: (some) => list(some.references(5)) },
  { name: '100 references', values: 100, ask: (some) => list(some.references(100)) },
];

function list(...filters: string[]): string {
  return listPath(filters.join('&'));
}
