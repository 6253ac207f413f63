import cluster, { type Worker } from 'node:cluster';
import { ConfigError } from '../config.ts';
import type { Service } from '../service.ts';
import { tell } from './output.ts';

/** What a worker tells the process that started it. */
type Report = { addresses: Service['addresses'] } | { failed: string };

const STOP = 'stop';
const RESTART_DELAY_MS = 1000;

export const isWorker = cluster.isWorker;

/** Runs this same command in several processes that share the listeners; one that dies is replaced. */
export async function startWorkers(count: number): Promise<Service> {
  let stopping = false;
  const [, exec = '', ...args] = process.argv;
  cluster.setupPrimary({ exec, args });
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return;
    tell(`rollcall: worker ${worker.process.pid} ended with ${signal ?? code}; starting another.`);
    setTimeout(() => !stopping && cluster.fork(), RESTART_DELAY_MS);
  });

  // One after the other: what stops the first (a port in use, say) is told once.
  let addresses: Service['addresses'] = {};
  for (let number = 0; number < count; number++) {
    const report = await firstReport(cluster.fork());
    if ('failed' in report) {
      stopping = true;
      await stopAll();
      throw new ConfigError(report.failed);
    }
    addresses = report.addresses;
  }
  return {
    addresses,
    stop: () => {
      stopping = true;
      return stopAll();
    },
  };
}

/** In a worker: says how it went, then serves until it is told to stop. */
export async function workUntilStopped(start: () => Promise<Service>): Promise<void> {
  // Listened for from the beginning: it may come before the service is up.
  const stopped = toldToStop();
  const service = await start().catch((error) => {
    send({ failed: error instanceof Error ? error.message : String(error) });
  });
  if (service) {
    send({ addresses: service.addresses });
    await stopped;
    await service.stop();
  }
  process.disconnect?.();
}

function send(report: Report): void {
  process.send?.(report);
}

/** A terminal's interrupt reaches every process, so it may come beside the word of the one that started us. */
function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => message === STOP && resolve());
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
}

function firstReport(worker: Worker): Promise<Report> {
  return new Promise((resolve) => {
    worker.once('message', resolve);
    worker.once('exit', (code, signal) => resolve({ failed: `A worker ended with ${signal ?? code} as it started.` }));
  });
}

async function stopAll(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  await Promise.all(
    workers.map(
      (worker) =>
        new Promise<void>((resolve) => {
          worker.once('exit', () => resolve());
          if (worker.isConnected()) worker.send(STOP);
        }),
    ),
  );
}
