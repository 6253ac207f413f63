import cluster, { type Worker } from 'node:cluster';
import { ConfigError } from '../../config.ts';
import { Failure } from '../../domain/failure.ts';
import { LogOutput } from '../../http/log-output.ts';
import type { Service } from '../../service.ts';
import { KeyNewsRelay } from './key-news-relay.ts';
import { type FromWorker, tellWorker } from './worker-messages.ts';

const RESTART_DELAY_MS = 1000;

/** A worker that was told to stop is ready to close its listeners within this time, or it is stuck. */
const CLOSE_TIMEOUT_MS = 8000;

/** Then it may finish what is in flight, for less time than the whole service has. */
const STOP_TIMEOUT_MS = 29_000;

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
  const ready = new Set<Worker>();
  cluster.on('message', (worker, message: FromWorker) => {
    relay.hear(worker, message);
    if (!('readyToClose' in message)) return;
    ready.add(worker);
    // One that stops by itself leaves the others to its callers.
    if (stopping) closeWhenAllReady(ready);
    else tellWorker(worker, { closed: true });
  });
  cluster.on('exit', (worker, code, signal) => {
    relay.forget(worker);
    ready.delete(worker);
    if (stopping) return closeWhenAllReady(ready);
    say(`worker ${worker.process.pid} ended with ${signal ?? code}; starting another.`);
    setTimeout(() => !stopping && cluster.fork(), RESTART_DELAY_MS);
  });
  const drain = () => {
    stopping = true;
    for (const worker of runningWorkers()) tellWorker(worker, { drain: true });
  };
  const stop = async () => {
    stopping = true;
    await output.close();
    await stopAll(ready);
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
  return { addresses, drain, stop };
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

function runningWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

/** Disconnecting the last of them closes the listeners, at once and here; each keeps the connections that it was given. */
function closeWhenAllReady(ready: ReadonlySet<Worker>): void {
  const workers = runningWorkers();
  if (!workers.every((worker) => ready.has(worker))) return;
  // Right after the event loop has accepted whoever has arrived.
  setImmediate(() => {
    for (const worker of workers) worker.disconnect();
    for (const worker of workers) tellWorker(worker, { closed: true });
  });
}

async function stopAll(ready: ReadonlySet<Worker>): Promise<void> {
  const stops = runningWorkers().map((worker) => stopWorker(worker, ready.has(worker)));
  const killed = (await Promise.all(stops)).filter((pid) => pid !== undefined);
  if (killed.length === 0) return;
  throw new Failure('unavailable', `Workers that did not stop in time were killed: ${killed.join(', ')}.`);
}

/** Resolves once it has ended; with its process id when it had to be killed. */
function stopWorker(worker: Worker, isReady: boolean): Promise<number | undefined> {
  return new Promise((resolve) => {
    if (worker.isDead()) return resolve(undefined);
    let killed: number | undefined;
    const kill = () => {
      killed = worker.process.pid;
      worker.process.kill('SIGKILL');
    };
    const stopTimer = setTimeout(kill, STOP_TIMEOUT_MS);
    const closeTimer = isReady ? undefined : setTimeout(kill, CLOSE_TIMEOUT_MS);
    worker.on('message', (message: FromWorker) => 'readyToClose' in message && clearTimeout(closeTimer));
    worker.once('exit', () => {
      clearTimeout(stopTimer);
      clearTimeout(closeTimer);
      resolve(killed);
    });
    tellWorker(worker, { stop: true });
  });
}
