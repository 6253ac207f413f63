import type { Examination } from '../../store/examine.ts';
import type { Made, Outcome, Request } from './requests.ts';
import type { ListedAccount, Look, View } from './view.ts';

/** What a process of the product can be asked, and what it answers. */
export interface Questions {
  open: { ask: { databaseUrl: string }; answer: null };
  perform: { ask: Request; answer: { outcome: Outcome; made: Made } };
  listAccounts: { ask: null; answer: ListedAccount[] };
  look: { ask: Look; answer: View };
  examine: { ask: null; answer: Examination };
  close: { ask: null; answer: null };
}
export type Question = keyof Questions;

export interface Asked<Q extends Question = Question> {
  number: number;
  question: Q;
  ask: Questions[Q]['ask'];
}

/** A failure here is one that no use case foresees: a defect. */
export type Answered = { number: number } & ({ answer: unknown } | { defect: string });
