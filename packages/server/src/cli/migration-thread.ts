// Runs in a thread of its own, because a migration may keep the thread that runs it busy for minutes.
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReportForm, ReportMessage } from './migration-report.ts';

interface Running {
  name: string;
  position: number;
  count: number;
  since: number;
}

interface Report {
  running(migration: Running, seconds: number): void;
  ended(migration: Running, seconds: number): void;
  close(): Promise<void>;
}

const form: ReportForm = workerData;
const report = form.kind === 'log' ? await reportToLog(form) : reportAsText(form);
let running: Running | undefined;

const timer = setInterval(() => {
  if (running) report.running(running, Math.round((performance.now() - running.since) / 1000));
}, form.everyMs);

parentPort?.on('message', async (message: ReportMessage) => {
  if ('begun' in message) begin(message.begun, message);
  else if ('ended' in message) end(message.milliseconds);
  else await close();
});

function begin(name: string, { position, count }: { position: number; count: number }): void {
  running = { name, position, count, since: performance.now() };
  if (form.kind === 'terminal') report.running(running, 0);
}

function end(milliseconds: number): void {
  if (running) report.ended(running, milliseconds / 1000);
  running = undefined;
}

async function close(): Promise<void> {
  clearInterval(timer);
  parentPort?.close();
  await report.close();
}

async function reportToLog({ logLevel }: ReportForm): Promise<Report> {
  // Imported here because the other reports begin sooner without it.
  const { openLog } = await import('../http/log.ts');
  const { logger, close } = openLog(logLevel);
  const fields = ({ name, position, count }: Running, seconds: number) => ({
    migration: name,
    position,
    count,
    seconds,
  });
  return {
    running: (migration, seconds) => logger.info(fields(migration, seconds), 'a migration of the database is running'),
    ended: (migration, seconds) =>
      logger.info(fields(migration, Number(seconds.toFixed(1))), 'a migration of the database has ended'),
    close,
  };
}

function reportAsText({ kind, descriptor }: ReportForm): Report {
  const [start, end] = kind === 'terminal' ? ['\r\x1b[K', ''] : ['', '\n'];
  const title = ({ name, position, count }: Running) => `${start}Migration ${name} (${position} of ${count}): `;
  let isMidLine = false;
  const write = (text: string) => {
    isMidLine = !text.endsWith('\n');
    try {
      writeSync(descriptor, text);
    } catch {
      // Nobody reads it, or the disk is full. There is no other place to report this.
    }
  };
  return {
    running: (migration, seconds) => write(`${title(migration)}running for ${seconds} s${end}`),
    ended: (migration, seconds) => write(`${title(migration)}${seconds.toFixed(1)} s\n`),
    // After a failed migration, whose line is not complete on a terminal.
    close: async () => {
      if (isMidLine) write('\n');
    },
  };
}
