import cluster, { type Worker } from 'node:cluster';
import { ConfigError } from '../config.ts';
import { Failure } from '../domain/failure.ts';
import { LogOutput } from '../http/log-output.ts';
import type { Service } from '../service.ts';
import { KeyNewsRelay } from './key-news-relay.ts';
import { type FromWorker, tellWorker } from './worker-messages.ts';

const RESTART_DELAY_MS = 1000;

/** A worker that was told to stop gets this long, which is less than the whole service has. */
const STOP_TIMEOUT_MS = 8000;

/** Runs this same command in several processes that share the listeners; one that dies is replaced. */
export async function startWorkers(count: number): Promise<Service> {
  let stopping = false;
  const [, exec = '', ...args] = process.argv;
  cluster.setupPrimary({ exec, args });
  // Not by `tell`: whoever hands out the connections must not wait for a reader of its stderr.
  const output = new LogOutput();
  const say = (message: string) => {
    output.write(`rollcall: ${message}\n`);
    output.flush();
  };
  const relay = new KeyNewsRelay(say);
  cluster.on('message', (worker, message: FromWorker) => relay.hear(worker, message));
  cluster.on('exit', (worker, code, signal) => {
    relay.forget(worker);
    if (stopping) return;
    say(`worker ${worker.process.pid} ended with ${signal ?? code}; starting another.`);
    setTimeout(() => !stopping && cluster.fork(), RESTART_DELAY_MS);
  });
  const stop = async () => {
    stopping = true;
    await output.close();
    await stopAll();
  };

  // One after the other: what stops the first (a port in use, say) is told once.
  let addresses: Service['addresses'] = {};
  for (let number = 0; number < count; number++) {
    const report = await firstReport(cluster.fork());
    if ('failed' in report) {
      await stop();
      throw new ConfigError(report.failed);
    }
    addresses = report.addresses;
  }
  return { addresses, stop };
}

type Report = Extract<FromWorker, { addresses: unknown } | { failed: unknown }>;

function firstReport(worker: Worker): Promise<Report> {
  return new Promise((resolve) => {
    worker.on('message', (message: FromWorker) => {
      if ('addresses' in message || 'failed' in message) resolve(message);
    });
    worker.once('exit', (code, signal) => resolve({ failed: `A worker ended with ${signal ?? code} as it started.` }));
  });
}

async function stopAll(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const killed = (await Promise.all(workers.map(stopWorker))).filter((pid) => pid !== undefined);
  if (killed.length === 0) return;
  throw new Failure('unavailable', `Workers that did not stop in time were killed: ${killed.join(', ')}.`);
}

/** Resolves once it has ended; with its process id when it had to be killed. */
function stopWorker(worker: Worker): Promise<number | undefined> {
  return new Promise((resolve) => {
    if (worker.isDead()) return resolve(undefined);
    let killed: number | undefined;
    const timer = setTimeout(() => {
      killed = worker.process.pid;
      worker.process.kill('SIGKILL');
    }, STOP_TIMEOUT_MS);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve(killed);
    });
    tellWorker(worker, { stop: true });
  });
}
