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
  { name: '5 references', values: 5, ask: (some) => list(some.references(5)) },
  { name: '100 references', values: 100, ask: (some) => list(some.references(100)) },
];

function list(...filters: string[]): string {
  return listPath(filters.join('&'));
}
