// The property behind `store/every-write.property.test.ts` and `npm run soak`:
//   operations/   what may be done, chosen at random
//   requests.ts   what that comes to, in full
//   model/        what should become of a request, and what should then be seen, on plain arrays
//   product/      a process of the product that does requests and says what it sees
//   run.ts        does each step to both, and compares
import fc from 'fast-check';
import { type StepChoice, stepChoice } from './operations/every-operation.ts';
import { Run, type Tally } from './run.ts';
import { TwoProcesses } from './two-processes.ts';

/** An empty database with the tables in it, and how to be rid of it. */
export interface FreshDatabase {
  url: string;
  remove(): Promise<void>;
}

export interface Drive {
  seed: number;
  /** How many steps there are to be in all. */
  steps: number;
  freshDatabase(): Promise<FreshDatabase>;
  /** For how long a failing run is made shorter, which is for the reader's sake only. */
  shrinkingSeconds?: number | undefined;
  onRun?(progress: { seed: number; steps: number }): void;
}

/** A run is at most this long, however many are wanted, so that one seed always stands for the same steps. */
const STEPS_PER_RUN = 120;

/**
 * Random writes of every kind from two processes, until there have been enough of them. After each, both processes must
 * show what a plain model says. Fails with the shortest sequence of steps that was found to show the difference.
 */
export async function driveEveryWrite({
  seed,
  steps,
  freshDatabase,
  shrinkingSeconds = 300,
  onRun,
}: Drive): Promise<{ steps: number; tally: Tally }> {
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
  freshDatabase: Drive['freshDatabase'],
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
