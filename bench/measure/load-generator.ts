import { setTimeout as sleep } from 'node:timers/promises';
import { Autocannon } from './autocannon.ts';
import type { GeneratorName, Load, LoadSender, SentLoad } from './load.ts';
import { cpuSeconds } from './process-usage.ts';
import { isWrkInstalled, Wrk } from './wrk.ts';

/** A server that is nearly idle for this long has finished its work. */
const IDLE_SECONDS = 0.05;
const SETTLING_SECONDS = 60;
/** Enough for a median, also of a server that takes seconds for each response. */
const LEAST_ANSWERS = 5;
/** So many times as long, if there were too few. */
const LONGER = 4;
/** The longest measurement of a server that is too slow for enough responses. */
const MOST_SECONDS = 60;

/** The processes whose processor time is measured. */
export interface MeasuredProcesses {
  pid: number;
  /** The first process of the database server, if the database is a server on this machine. */
  databasePid?: number | undefined;
}

export interface LoadResult extends Omit<SentLoad, 'seconds'> {
  perSecond: number;
  /** The processor time of the server and its workers per response; unknown on systems without /proc. */
  serverCpuMicroseconds: number | null;
  /** The same of the database server, if there is one on this machine. */
  databaseCpuMicroseconds: number | null;
}

/** Generates load, and measures the processor time that the server needs for it. */
export class LoadGenerator {
  readonly #sender: LoadSender;

  constructor(sender: LoadSender) {
    this.#sender = sender;
  }

  /** With the given program, or else with wrk where it is installed: autocannon takes as much time for a request as a server. */
  static start(name: GeneratorName = isWrkInstalled() ? 'wrk' : 'autocannon'): LoadGenerator {
    return new LoadGenerator(name === 'wrk' ? new Wrk() : new Autocannon());
  }

  get name(): GeneratorName {
    return this.#sender.name;
  }

  /** A slow server is measured again for longer, until it sends enough responses. */
  async run(load: Load, processes: MeasuredProcesses): Promise<LoadResult> {
    for (let seconds = load.seconds; ; seconds = Math.min(LONGER * seconds, MOST_SECONDS)) {
      const result = await this.#measure({ ...load, seconds }, processes);
      if (result.answers >= LEAST_ANSWERS || (result.answers > 0 && seconds >= MOST_SECONDS)) return result;
      if (seconds >= MOST_SECONDS) throw new Error(`${load.choices[0]?.path}: no response in ${seconds} s.`);
    }
  }

  stop(): Promise<void> {
    return this.#sender.stop();
  }

  async #measure(load: Load, { pid, databasePid }: MeasuredProcesses): Promise<LoadResult> {
    const pids = [pid, databasePid];
    const before = pids.map(usedBy);
    const { seconds, ...sent } = await this.#send(load);
    const after = pids.map(usedBy);
    const [server = null, database = null] = after.map((used, index) => perAnswer(used, before[index], sent.answers));
    await settled(pid);
    return {
      ...sent,
      perSecond: sent.answers / seconds,
      serverCpuMicroseconds: server,
      databaseCpuMicroseconds: database,
    };
  }

  async #send(load: Load): Promise<SentLoad> {
    try {
      return await this.#sender.send(load);
    } catch (error) {
      throw new Error(`${load.choices[0]?.path}: ${(error as Error).message}`, { cause: error });
    }
  }
}

function usedBy(pid: number | undefined): number | undefined {
  return pid === undefined ? undefined : cpuSeconds(pid);
}

function perAnswer(after: number | undefined, before: number | undefined, answers: number): number | null {
  return after === undefined || before === undefined ? null : ((after - before) / answers) * 1e6;
}

/** Waits until the server is idle, so that work for closed connections does not affect the next measurement. */
async function settled(pid: number): Promise<void> {
  const deadline = performance.now() + SETTLING_SECONDS * 1000;
  let before = cpuSeconds(pid);
  while (performance.now() < deadline) {
    await sleep(IDLE_SECONDS * 1000);
    const now = cpuSeconds(pid);
    if (now === undefined || before === undefined || now - before <= IDLE_SECONDS / 5) return;
    before = now;
  }
}
