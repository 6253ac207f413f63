import { mkdirSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { childrenOf } from '../../bench/measure/process-usage.ts';
import type { Program, Serving } from '../../e2e/program.ts';

const WORKERS_OF_SQLITE = 2;
const NODES_OF_POSTGRES = 2;
/** Connections that were broken by a kill may be noticed so much later. */
const AFTERMATH_MS = 5000;

export type EngineName = 'sqlite' | 'postgres';

/** What may happen to callers of a node at the moment. */
type Disturbance = 'none' | 'stopped' | 'killed';

/** A node that keeps its address through restarts. */
export class Node {
  readonly name: string;
  readonly #program: Program;
  readonly #logFile: string;
  #serving: Serving | undefined;
  #disturbance: Disturbance = 'none';
  #disturbances = 0;
  #ports: [production: string, dashboard: string] = ['0', '0'];
  address = '';
  dashboard = '';

  constructor(name: string, program: Program) {
    this.name = name;
    this.#program = program;
    mkdirSync(program.folder, { recursive: true });
    this.#logFile = join(program.folder, `${name}.log`);
  }

  async start(): Promise<void> {
    [this.#program.environment.ROLLCALL_PRODUCTION_PORT, this.#program.environment.ROLLCALL_DASHBOARD_PORT] =
      this.#ports;
    const log = openSync(this.#logFile, 'a');
    this.#serving = await this.#program.serveLoggingTo(log, ['--only', 'production,dashboard']);
    this.address = this.#serving.production;
    this.dashboard = this.#serving.dashboard;
    this.#ports = [new URL(this.address).port, new URL(this.dashboard).port];
  }

  /** The first process of the node, its workers and the standby process. */
  get pids(): number[] {
    const pid = this.#serving?.process.pid ?? 0;
    return [pid, ...childrenOf(pid)];
  }

  /** Whether a broken connection (`cut`) or a refused one is what has to be expected now. */
  explains(loss: 'cut' | 'refused'): boolean {
    return this.#disturbance === 'killed' || (loss === 'refused' && this.#disturbance === 'stopped');
  }

  /** Stops the node as an operator does, and starts it again. */
  async restart(): Promise<void> {
    await this.#disturbed('stopped', async () => {
      const code = await this.stop();
      await this.start();
      if (code !== 0) throw new Error(`node ${this.name} ended with ${code} after SIGTERM`);
    });
  }

  async killAndStart(): Promise<void> {
    await this.#disturbed('killed', async () => {
      await this.#serving?.stop('SIGKILL');
      await this.start();
    });
  }

  /** Kills the worker that was started last, so that the other one shows what happens over a long time. */
  async killWorker(): Promise<void> {
    await this.#disturbed('killed', async () => {
      // The standby process is younger than all workers.
      const victim = this.pids[WORKERS_OF_SQLITE];
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
    });
  }

  async stop(): Promise<number | null> {
    return (await this.#serving?.stop()) ?? null;
  }

  /** The lines of the log since the last call that report errors. */
  takeErrors(): string[] {
    const lines = readFileSync(this.#logFile, 'utf8').split('\n');
    truncateSync(this.#logFile);
    return lines.filter((line) => /"level":[56]0/.test(line));
  }

  async #disturbed(kind: Disturbance, work: () => Promise<void>): Promise<void> {
    const number = ++this.#disturbances;
    this.#disturbance = kind;
    await work();
    setTimeout(() => {
      if (this.#disturbances === number) this.#disturbance = 'none';
    }, AFTERMATH_MS).unref();
  }
}

/** One node with two workers on SQLite, or two nodes on PostgreSQL. All settings that matter here are the defaults. */
export async function startNodes(engine: EngineName, program: Program): Promise<Node[]> {
  program.environment.ROLLCALL_WORKERS = String(engine === 'sqlite' ? WORKERS_OF_SQLITE : 1);
  const count = engine === 'sqlite' ? 1 : NODES_OF_POSTGRES;
  const nodes = Array.from({ length: count }, (_, index) => new Node(String(index + 1), program));
  for (const node of nodes) await node.start();
  return nodes;
}
