import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answered, Asked, Question, Questions } from './messages.ts';

const SCRIPT = fileURLToPath(new URL('./product/process.ts', import.meta.url));

/** A process of the product, with its unanswered questions. */
export class ProductProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  #asked = 0;
  #end: string | undefined;

  constructor() {
    this.#child = fork(SCRIPT, { serialization: 'advanced', execArgv: [] });
    this.#child.on('message', (answered: Answered) => this.#hear(answered));
    this.#child.on('exit', (code, signal) => this.#giveUp(`A process of the product ended: ${code ?? signal}.`));
  }

  ask<Q extends Question>(question: Q, ask: Questions[Q]['ask']): Promise<Questions[Q]['answer']> {
    if (this.hasEnded) return Promise.reject(new Error(this.#end));
    const asked: Asked<Q> = { number: ++this.#asked, question, ask };
    return new Promise((resolve, reject) => {
      this.#waiting.set(asked.number, { resolve: resolve as (answer: unknown) => void, reject });
      this.#child.send(asked);
    });
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  async stop(): Promise<void> {
    if (this.hasEnded) return;
    await this.ask('close', null);
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }

  #hear(answered: Answered): void {
    const waiting = this.#waiting.get(answered.number);
    this.#waiting.delete(answered.number);
    if ('defect' in answered) waiting?.reject(new Error(`The product failed: ${answered.defect}`));
    else waiting?.resolve(answered.answer);
  }

  #giveUp(why: string): void {
    this.#end = why;
    for (const { reject } of this.#waiting.values()) reject(new Error(why));
    this.#waiting.clear();
  }
}

/** Two processes on one database. */
export class TwoProcesses {
  readonly all: [ProductProcess, ProductProcess] = [new ProductProcess(), new ProductProcess()];

  /** Replaces a process that has ended, so that the next database gets a new one. */
  async open(databaseUrl: string): Promise<void> {
    for (const index of [0, 1] as const) {
      if (this.all[index].hasEnded) this.all[index] = new ProductProcess();
      await this.all[index].ask('open', { databaseUrl });
    }
  }

  async close(): Promise<void> {
    for (const each of this.all) if (!each.hasEnded) await each.ask('close', null);
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((each) => each.stop()));
  }
}
