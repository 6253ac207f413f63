import type { ConsistencyReport } from '../../store/check-consistency.ts';
import type { CallerSecrets, Outcome, Request } from './requests.ts';
import type { ListedAccount, View, ViewQuery } from './view.ts';

/** The questions that a process of the product answers. */
export interface Questions {
  open: { ask: { databaseUrl: string }; answer: null };
  perform: { ask: Request; answer: { outcome: Outcome; secrets: CallerSecrets } };
  listAccounts: { ask: null; answer: ListedAccount[] };
  readView: { ask: ViewQuery; answer: View };
  checkConsistency: { ask: null; answer: ConsistencyReport };
  close: { ask: null; answer: null };
}
export type Question = keyof Questions;

export interface Asked<Q extends Question = Question> {
  number: number;
  question: Q;
  ask: Questions[Q]['ask'];
}

/** A `defect` is an error that is not a `Failure`. */
export type Answered = { number: number } & ({ answer: unknown } | { defect: string });
