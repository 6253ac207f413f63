import { setTimeout as sleep } from 'node:timers/promises';
import { Calls } from './calls.ts';
import { compareWithModel } from './compare.ts';
import { type Disturbances, disturb } from './disturb.ts';
import { Files } from './files.ts';
import { type Installation, install } from './installation.ts';
import { Keys } from './keys.ts';
import { Model } from './model.ts';
import { Pause } from './pause.ts';
import { Readers } from './readers.ts';
import { coresBetween, cpuOf, type Sample, sampleProcesses } from './samples.ts';
import type { EngineName } from './service.ts';
import { Statistics, type Tally } from './statistics.ts';
import { Writer } from './writers.ts';

const WRITERS = 4;
const CLIENTS_PER_WRITER = 100;
const IMPORTED_CLIENTS = 2000;
const ROWS_PER_IMPORT = 200;
const GROUPS = 8;
const IMPORTED = 'Imported';
/** A run is divided into so many parts, each of which ends with a comparison of all lists. */
const CHECKPOINTS = 6;
const MINUTE_MS = 60_000;
/** Tokens are valid for an hour. */
const RENEW_TOKENS_MS = 20 * MINUTE_MS;
const KEYS_EVERY_MS = 30_000;
const IMPORT_EVERY_MS = 30_000;
const IMPORTS_PER_EXPORT = 2;
/** How often something is disturbed, unless the run is so short that it would not happen. */
const OFTEN_SECONDS = 150;
const RARELY_SECONDS = 1150;

export interface SoakOptions {
  engine: EngineName;
  minutes: number;
  readsPerSecond: number;
  writesPerSecond: number;
  onSample(sample: Sample): void;
}

export interface SoakResult {
  engine: EngineName;
  startedAt: string;
  minutes: number;
  total: Tally;
  disturbances: Disturbances;
  keys: Keys['figures'];
  imports: number;
  exports: number;
  /** How many lists were compared with the model, in all checkpoints together. */
  listsCompared: number;
  /** The lines of the service's log that report errors. */
  loggedErrors: number;
  problemsOfDoctor: number;
  failures: number;
  firstFailures: string[];
  samples: Sample[];
}

/** Serves real callers for a long time, and compares what they see with a plain model. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const installation = await install(options.engine);
  try {
    const run = new Run(installation, options);
    await run.prepare();
    return await run.run();
  } finally {
    await installation.remove();
  }
}

class Run {
  readonly #installation: Installation;
  readonly #options: SoakOptions;
  readonly #statistics = new Statistics();
  readonly #model = new Model();
  readonly #pause = new Pause(WRITERS + 1);
  readonly #calls: Calls;
  readonly #keys: Keys;
  readonly #readers: Readers;
  readonly #writers: Writer[];
  readonly #samples: Sample[] = [];
  #files: Files | undefined;
  #endsAt = Number.POSITIVE_INFINITY;
  #listsCompared = 0;
  #loggedErrors = 0;

  constructor(installation: Installation, options: SoakOptions) {
    this.#installation = installation;
    this.#options = options;
    this.#calls = new Calls(installation.nodes, this.#statistics);
    this.#keys = new Keys(installation.program, this.#calls, this.#statistics);
    const deps = {
      calls: this.#calls,
      model: this.#model,
      statistics: this.#statistics,
      pause: this.#pause,
      authorization: this.#authorization,
    };
    this.#readers = new Readers(deps);
    this.#writers = Array.from(
      { length: WRITERS },
      (_, index) =>
        new Writer(deps, {
          name: `writer-${index}`,
          clients: CLIENTS_PER_WRITER,
          perSecond: options.writesPerSecond / WRITERS,
        }),
    );
  }

  readonly #authorization = (): string => this.#keys.authorization();
  readonly #isOver = (): boolean => performance.now() >= this.#endsAt;

  /** Makes keys, groups and clients before the time begins to count. */
  async prepare(): Promise<void> {
    await this.#keys.create();
    for (let each = 0; each < GROUPS; each++) await this.#addGroup(`Group ${each}`);
    const group = { name: IMPORTED, token: await this.#addGroup(IMPORTED) };
    this.#files = new Files(this.#calls, this.#model, this.#authorization, {
      clients: IMPORTED_CLIENTS,
      rowsPerImport: ROWS_PER_IMPORT,
      group,
    });
    await Promise.all(this.#writers.map((writer) => writer.fill()));
    await this.#compare();
    this.#statistics.takeMinute();
  }

  async run(): Promise<SoakResult> {
    const { engine, minutes, readsPerSecond } = this.#options;
    const startedAt = new Date().toISOString();
    this.#endsAt = performance.now() + minutes * MINUTE_MS;
    const schedule = {
      often: Math.min(OFTEN_SECONDS, Math.ceil((minutes * 60) / 5)),
      rarely: Math.min(RARELY_SECONDS, Math.ceil((minutes * 60) / 3)),
    };
    const [disturbances] = await Promise.all([
      disturb(engine, this.#installation.nodes, schedule, this.#statistics, this.#isOver),
      this.#readers.run(readsPerSecond, this.#isOver),
      ...this.#writers.map((writer) => writer.run(this.#isOver)),
      this.#useFiles(),
      this.#useKeys(),
      this.#compareRegularly((minutes * MINUTE_MS) / CHECKPOINTS),
      this.#sampleEveryMinute(),
    ]).catch((error) => {
      this.#endsAt = 0;
      throw error;
    });
    return { engine, startedAt, minutes, disturbances, ...(await this.#end()) };
  }

  async #useFiles(): Promise<void> {
    for (let round = 0; !this.#isOver(); round++) {
      await this.#pause.wait();
      await this.#files?.import();
      if (round % IMPORTS_PER_EXPORT === 0) await this.#files?.export();
      await this.#rest(IMPORT_EVERY_MS);
    }
    this.#pause.leave();
  }

  async #useKeys(): Promise<void> {
    let renewAt = performance.now() + RENEW_TOKENS_MS;
    for (let round = 0; !this.#isOver(); round++) {
      if (round % 2 === 0) await this.#keys.revokeOne();
      else await this.#keys.rollOne();
      if (performance.now() > renewAt) {
        await this.#keys.renewTokens();
        renewAt = performance.now() + RENEW_TOKENS_MS;
      }
      await this.#rest(KEYS_EVERY_MS);
    }
  }

  async #compareRegularly(everyMs: number): Promise<void> {
    for (let next = performance.now() + everyMs; next < this.#endsAt - everyMs / 2; next += everyMs) {
      await sleep(Math.max(0, next - performance.now()));
      await this.#pause.during(() => this.#tryToCompare());
    }
  }

  /** A difference does not end the run, because what becomes of it later is interesting. */
  async #tryToCompare(): Promise<void> {
    try {
      await this.#compare();
    } catch (error) {
      this.#statistics.failed(`comparison: ${(error as Error).message}`);
    }
  }

  /** Renames a group, so that the names of many clients change at once, and compares everything. */
  async #compare(): Promise<void> {
    const [token, name] = [...this.#model.groups][this.#listsCompared % GROUPS] as [string, string];
    const group_name = `${name.split(' after ')[0]} after ${this.#listsCompared} lists`;
    const headers = { authorization: this.#authorization(), 'content-type': 'application/json' };
    const body = JSON.stringify({ group_name });
    const path = `/api/v1/groups/${token}/`;
    const { status, text } = await this.#calls.persistently({ method: 'PATCH', path, headers, body });
    if (status !== 200) throw new Error(`renaming a group answered ${status}: ${text}`);
    this.#model.groups.set(token, group_name);
    this.#listsCompared += await compareWithModel(this.#calls, this.#model, this.#authorization());
    await this.#files?.compareExport();
  }

  async #sampleEveryMinute(): Promise<void> {
    const { nodes, sampleStorage } = this.#installation;
    for (let minute = 1; !this.#isOver(); minute++) {
      const [before, startedAt] = [cpuOf(nodes), performance.now()];
      await this.#rest(MINUTE_MS);
      const sample: Sample = {
        minute,
        ...this.#statistics.takeMinute(),
        clients: this.#model.clients.size,
        processes: sampleProcesses(nodes),
        storage: await sampleStorage(),
        cores: coresBetween(before, cpuOf(nodes), (performance.now() - startedAt) / 1000),
      };
      this.#takeErrors();
      this.#samples.push(sample);
      this.#options.onSample(sample);
    }
  }

  async #end() {
    await this.#tryToCompare();
    for (const node of this.#installation.nodes) {
      const code = await node.stop();
      if (code !== 0) this.#statistics.failed(`a node ended with ${code} after SIGTERM`);
    }
    this.#takeErrors();
    this.#calls.close();
    const { problems } = await this.#installation.program.json<{ problems: string[] }>(['doctor']);
    for (const problem of problems) this.#statistics.failed(`doctor: ${problem}`);
    const { failureCount: failures, failures: firstFailures, total } = this.#statistics;
    return {
      total,
      keys: this.#keys.figures,
      imports: this.#files?.imports ?? 0,
      exports: this.#files?.exports ?? 0,
      listsCompared: this.#listsCompared,
      loggedErrors: this.#loggedErrors,
      problemsOfDoctor: problems.length,
      failures,
      firstFailures,
      samples: this.#samples,
    };
  }

  #takeErrors(): void {
    for (const node of this.#installation.nodes) {
      for (const line of node.takeErrors()) {
        this.#loggedErrors++;
        this.#statistics.failed(`node ${node.name} logged ${line.slice(0, 500)}`);
      }
    }
  }

  async #addGroup(group_name: string): Promise<string> {
    const headers = { authorization: this.#authorization(), 'content-type': 'application/json' };
    const body = JSON.stringify({ group_name });
    const call = { method: 'POST', path: '/api/v1/groups/', headers, body } as const;
    const { data, status, text } = await this.#calls.persistently<{ group_token: string }>(call);
    if (status !== 201) throw new Error(`adding a group answered ${status}: ${text}`);
    this.#model.groups.set(data.group_token, group_name);
    return data.group_token;
  }

  /** Waits for this long, but not longer than the run. */
  async #rest(milliseconds: number): Promise<void> {
    await sleep(Math.max(0, Math.min(milliseconds, this.#endsAt - performance.now())));
  }
}
