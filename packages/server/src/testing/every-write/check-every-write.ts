// The property behind `store/every-write.property.test.ts` and `npm run soak`:
//   operations/   random choices of operations
//   requests.ts   the requests that result from them
//   model/        the expected outcome of a request and the expected view, computed with plain arrays
//   product/      a process of the product that performs requests and reads views
//   run.ts        applies each step to both and compares
import fc from 'fast-check';
import { type StepChoice, stepChoice } from './operations/every-operation.ts';
import { Run, type Tally } from './run.ts';
import { TwoProcesses } from './two-processes.ts';

/** An empty, migrated database, and the function that removes it. */
export interface FreshDatabase {
  url: string;
  remove(): Promise<void>;
}

export interface CheckOptions {
  seed: number;
  /** The total number of steps. */
  steps: number;
  freshDatabase(): Promise<FreshDatabase>;
  /** How long to search for a shorter sequence of steps after a failure. */
  shrinkingSeconds?: number | undefined;
  onRun?(progress: { seed: number; steps: number }): void;
}

/** The length of a run does not depend on the total number of steps, so that a seed always gives the same steps. */
const STEPS_PER_RUN = 120;

/**
 * Makes random writes of every kind from two processes. After each step, both processes must show what the model expects.
 * Fails with the shortest sequence of steps that was found to show a difference.
 */
export async function checkEveryWrite({
  seed,
  steps,
  freshDatabase,
  shrinkingSeconds = 300,
  onRun,
}: CheckOptions): Promise<{ steps: number; tally: Tally }> {
  const processes = new TwoProcesses();
  const tally: Tally = new Map();
  let done = 0;
  try {
    for (let runSeed = seed; done < steps; runSeed++) {
      const step = stepChoice.map((choice) => new Step(choice, () => done++));
      const commands = fc.commands([step], { maxCommands: STEPS_PER_RUN, size: 'max' });
      const property = fc.asyncProperty(commands, (chosen) => runOnce(processes, tally, freshDatabase, chosen));
      await fc.assert(property, {
        seed: runSeed,
        numRuns: 1,
        unbiased: true,
        skipAllAfterTimeLimit: shrinkingSeconds * 1000,
        includeErrorInReport: true,
      });
      onRun?.({ seed: runSeed, steps: done });
    }
  } finally {
    await processes.stop();
  }
  return { steps: done, tally };
}

async function runOnce(
  processes: TwoProcesses,
  tally: Tally,
  freshDatabase: CheckOptions['freshDatabase'],
  chosen: Iterable<fc.AsyncCommand<Run, null>>,
): Promise<void> {
  const database = await freshDatabase();
  try {
    await processes.open(database.url);
    const run = new Run(processes, tally);
    await run.begin();
    await fc.asyncModelRun(() => ({ model: run, real: null }), chosen);
    await run.end();
  } finally {
    await processes.close();
    await database.remove();
  }
}

class Step implements fc.AsyncCommand<Run, null> {
  readonly #choice: StepChoice;
  readonly #onDone: () => void;

  constructor(choice: StepChoice, onDone: () => void) {
    this.#choice = choice;
    this.#onDone = onDone;
  }

  check(): boolean {
    return true;
  }

  async run(run: Run): Promise<void> {
    if (await run.step(this.#choice)) this.#onDone();
  }

  toString(): string {
    const { process, operation, meanwhile, passesMs, pageLimit } = this.#choice;
    const at = `\n  process ${process}, after ${passesMs / 1000} s, pages of ${pageLimit}: `;
    return at + [operation, meanwhile].flatMap((each) => each?.text ?? []).join('\n    and at once ');
  }
}
