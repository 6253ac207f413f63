import { type EngineName, onEngine } from '../engines.ts';
import { TEN_THOUSAND } from '../options.ts';
import { formatCount } from './format.ts';
import type { QuestionResult, Results } from './results.ts';
import { makeTarget, type Target } from './target.ts';

export const GROWTH_LIMIT = 1.5;

/** The two goals for questions. */
export function questionTargets({ questions }: Results, engine: EngineName, largest: number): Target[] {
  const ours = questions.filter((each) => each.engine === engine);
  return [...(largest > TEN_THOUSAND ? [growthTarget(ours, engine, largest)] : []), ...plainTargets(ours, engine)];
}

/** The worst question counts. */
function growthTarget(questions: QuestionResult[], engine: EngineName, largest: number): Target {
  const atLargest = questions.filter(({ clients }) => clients === largest);
  const worst = worstOf(atLargest, (each) => growthOf(questions, each));
  const what = `median of a question, ${formatCount(largest)} ÷ 10 thousand, any question`;
  return makeTarget(onEngine(engine, what), 'below', GROWTH_LIMIT, '×', worst?.ratio, worst?.question);
}

/** One for each goal that questions have. The worst question and size count. */
function plainTargets(questions: QuestionResult[], engine: EngineName): Target[] {
  const goals = [...new Set(questions.flatMap(({ atMost }) => atMost ?? []))].sort((a, b) => a - b);
  return goals.map((goal) => {
    const worst = worstOf(
      questions.filter(({ atMost }) => atMost === goal),
      toPlain,
    );
    const what = `median of a question that may take ${goal} times as long as a plain random page`;
    const note = worst && `${worst.question}, at ${formatCount(worst.clients)}`;
    return makeTarget(onEngine(engine, what), 'below', goal, '×', worst?.ratio, note);
  });
}

/** How many times as long it takes as a plain random page. */
export function toPlain({ p50Ms, plainP50Ms }: QuestionResult): number {
  return p50Ms / plainP50Ms;
}

/** How many times as long it takes as with 10 thousand clients; unknown if that is not part of the run. */
export function growthOf(all: readonly QuestionResult[], { engine, clients, question, p50Ms }: QuestionResult) {
  const small = all.find(
    (each) => each.engine === engine && each.question === question && each.clients === TEN_THOUSAND,
  );
  return small && clients > TEN_THOUSAND ? p50Ms / small.p50Ms : undefined;
}

function worstOf(questions: QuestionResult[], ratioOf: (question: QuestionResult) => number | undefined) {
  const found = questions.flatMap((each) => {
    const ratio = ratioOf(each);
    return ratio === undefined ? [] : [{ ...each, ratio }];
  });
  return found.sort((a, b) => b.ratio - a.ratio)[0];
}
