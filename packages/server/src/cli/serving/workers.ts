import cluster, { type Worker } from 'node:cluster';
import { ConfigError } from '../../config.ts';
import { Failure } from '../../domain/failure.ts';
import { LogOutput } from '../../http/log-output.ts';
import type { Service } from '../../service.ts';
import { ClosingListeners, runningWorkers } from './closing-listeners.ts';
import { KeyRelay } from './key-relay.ts';
import { SharedRateLimits } from './shared-rate-limits.ts';
import { sendToWorker, type WorkerMessage } from './worker-messages.ts';
import type { WorkerMetrics } from './worker-metrics.ts';
import { WorkerSupply } from './worker-supply.ts';

/** A worker that is asked to stop must be ready to close its listeners within this time. */
const CLOSE_TIMEOUT_MS = 8000;

/** After that it may finish the requests in flight. This is less than the time that the whole service has for stopping. */
const STOP_TIMEOUT_MS = 29_000;

/** Runs this same command in several processes that share the listeners. A worker that exits is replaced. */
export async function startWorkers(count: number, metrics?: WorkerMetrics): Promise<Service> {
  let stopping = false;
  const [, exec = '', ...args] = process.argv;
  cluster.setupPrimary({ exec, args });
  // Not `printMessage`: this process hands out the connections and must not wait for a slow reader of stderr.
  const output = new LogOutput();
  const log = (message: string) => {
    output.write(`rollcall: ${message}\n`);
    output.flush();
  };
  const relay = new KeyRelay(log);
  const rateLimits = new SharedRateLimits();
  const supply = new WorkerSupply();
  const closing = new ClosingListeners();
  cluster.on('message', (worker, message: WorkerMessage) => {
    supply.handleMessage(worker, message);
    relay.handleMessage(worker, message);
    rateLimits.handleMessage(worker, message);
    metrics?.handleMessage(worker, message);
    if (!('readyToClose' in message)) return;
    if (stopping) return closing.handleReady(worker, message.readyToClose);
    // A worker that stops on its own may close at once, because the others keep serving.
    closing.handleClosed(worker);
    sendToWorker(worker, { closed: true });
  });
  cluster.on('exit', (worker, code, signal) => {
    const isStandby = supply.isStandby(worker);
    relay.removeWorker(worker);
    metrics?.removeWorker(worker, { isReplaced: !stopping && !isStandby });
    if (stopping) return closing.removeWorker(worker);
    const name = isStandby ? 'standby process' : 'worker';
    log(`${name} ${worker.process.pid} exited with ${signal ?? code}; starting another one.`);
    supply.replace(worker);
  });
  const drain = () => {
    stopping = true;
    supply.stop();
    for (const worker of runningWorkers()) sendToWorker(worker, { drain: true });
  };
  const stop = async () => {
    stopping = true;
    supply.stop();
    await output.close();
    await stopAll(closing);
  };

  // One after the other, so that a problem of all of them (such as a port in use) is reported once.
  let addresses: Service['addresses'] = {};
  for (let number = 0; number < count; number++) {
    const report = await firstReport(supply.startWorker());
    if ('failed' in report) {
      await stop();
      throw new ConfigError(report.failed);
    }
    addresses = report.addresses;
  }
  supply.startStandby();
  return { addresses, metrics, drain, stop };
}

type Report = Extract<WorkerMessage, { addresses: unknown } | { failed: unknown }>;

function firstReport(worker: Worker): Promise<Report> {
  return new Promise((resolve) => {
    worker.on('message', (message: WorkerMessage) => {
      if ('addresses' in message || 'failed' in message) resolve(message);
    });
    worker.once('exit', (code, signal) =>
      resolve({ failed: `A worker exited with ${signal ?? code} while it was starting.` }),
    );
  });
}

async function stopAll(closing: ClosingListeners): Promise<void> {
  const stops = runningWorkers().map((worker) => stopWorker(worker, closing.isReady(worker)));
  const killed = (await Promise.all(stops)).filter((pid) => pid !== undefined);
  if (killed.length === 0) return;
  throw new Failure('unavailable', `Workers that did not stop in time were killed: ${killed.join(', ')}.`);
}

/** Resolves when the worker has exited, with its process id if it had to be killed. */
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
    worker.on('message', (message: WorkerMessage) => 'readyToClose' in message && clearTimeout(closeTimer));
    worker.once('exit', () => {
      clearTimeout(stopTimer);
      clearTimeout(closeTimer);
      resolve(killed);
    });
    sendToWorker(worker, { stop: true });
  });
}
