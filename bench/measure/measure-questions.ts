import { onEngine } from '../engines.ts';
import { readAnswer, readPage } from '../peers/api-calls.ts';
import type { BenchServer } from '../peers/servers.ts';
import { formatCount } from '../report/format.ts';
import { reportProgress } from '../report/progress.ts';
import type { Bench } from './bench.ts';
import { NUMBER, type RequestChoice, randomPage } from './load.ts';
import type { LoadResult } from './load-generator.ts';
import { takeTurns, type Workload, warmUp } from './measure-in-turns.ts';
import { NUMBERS_IN_TIMES, type QuestionSamples, readQuestionSamples } from './question-samples.ts';
import { QUESTIONS, type Question } from './questions.ts';
import { LIST_PATH } from './workloads.ts';

/** So many requests of each question, with different values, take turns. */
const VARIANTS = 20;
const SEED = 1;

/**
 * Measures a random page of every question in turn with a plain random page, one request at a time. A question that the
 * service does not answer is reported, and the others are measured.
 */
export async function measureQuestions(bench: Bench, clients: number, server: BenchServer): Promise<void> {
  const { total_pages: pages } = await readPage(server.address, server.token, '');
  const plain: Workload = { name: 'plain random page', choices: [randomPage(LIST_PATH, pages)], connections: 1 };
  const samples = await readQuestionSamples(server, SEED);
  const asked: AskedQuestion[] = [];
  // All of them warm up the same server, so each needs less time than a server of its own.
  const warm = (workload: Workload) => warmUp(bench, [{ server, workload }], bench.options.seconds);
  await warm(plain);
  for (const question of QUESTIONS) {
    try {
      const workload = await toWorkload(question, samples, server);
      await warm(workload);
      asked.push({ ...question, workload });
    } catch (error) {
      const what = onEngine(server.engine, `"${question.name}" with ${formatCount(clients)} clients`);
      bench.results.skip(what, (error as Error).message);
    }
  }
  const contenders = [plain, ...asked.map(({ workload }) => workload)].map((workload) => ({ server, workload }));
  const [page, ...results] = await takeTurns(bench, contenders);
  for (const [index, { name, atMost }] of asked.entries()) {
    const result = toResult(results[index] as LoadResult, page as LoadResult);
    bench.results.questions.push({ engine: server.engine, clients, question: name, atMost, ...result });
    reportProgress(`  ${name}: ${(result.p50Ms / result.plainP50Ms).toFixed(2)} times a plain page`);
  }
}

interface AskedQuestion extends Question {
  workload: Workload;
}

function toResult(question: LoadResult, plain: LoadResult) {
  return {
    p50Ms: question.p50Ms,
    plainP50Ms: plain.p50Ms,
    serverCpuMicroseconds: question.serverCpuMicroseconds,
    plainServerCpuMicroseconds: plain.serverCpuMicroseconds,
  };
}

async function toWorkload(
  { name, ask }: Question,
  samples: QuestionSamples,
  { address, token }: BenchServer,
): Promise<Workload> {
  const choices: RequestChoice[] = [];
  for (let variant = 0; variant < VARIANTS; variant++) {
    const path = ask(samples);
    const { total_pages: pages } = await readAnswer<{ total_pages?: number }>(
      address,
      token,
      path.replace(NUMBER, '1'),
    );
    // Nobody matches, as may happen with few clients. Such an answer is too cheap to measure.
    if (pages !== 0) choices.push(toChoice(path, pages));
  }
  if (choices.length === 0) throw new Error(`No client matches any of the requests for "${name}".`);
  return { name, choices, connections: 1 };
}

function toChoice(path: string, pages: number | undefined): RequestChoice {
  if (path.includes(NUMBER)) return { path, numbers: NUMBERS_IN_TIMES };
  return pages === undefined ? { path } : randomPage(path, pages);
}
