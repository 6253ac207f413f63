import { type ChildProcess, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { startProgram } from '../child-processes.ts';
import { SCRATCH } from '../paths.ts';
import { type Load, type LoadSender, REQUEST_TIMEOUT_SECONDS, type SentLoad } from './load.ts';
import { cpuSeconds } from './process-usage.ts';
import { type WrkSummary, writeScript } from './wrk-script.ts';

const PROGRAM = 'wrk';
const POLL_MS = 50;

export function isWrkInstalled(): boolean {
  return spawnSync(PROGRAM, ['--version']).error === undefined;
}

/** Sends requests with wrk, which takes a small part of the processor time that Node takes for a request. */
export class Wrk implements LoadSender {
  readonly name = PROGRAM;

  async send(load: Load): Promise<SentLoad> {
    mkdirSync(SCRATCH, { recursive: true });
    const script = join(SCRATCH, 'wrk.lua');
    writeFileSync(script, writeScript(load));
    return runWrk(load, script);
  }

  async stop(): Promise<void> {}
}

/** wrk takes whole seconds only. */
async function runWrk({ address, connections, seconds }: Load, script: string): Promise<SentLoad> {
  const child = startProgram(PROGRAM, [
    ...['--threads', '1', '--connections', String(connections), '--duration', `${Math.ceil(seconds)}s`],
    ...['--timeout', `${REQUEST_TIMEOUT_SECONDS}s`, '--script', script, address],
  ]);
  const usage = watchUsage(child);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  const used = usage();
  if (code !== 0) throw new Error(`wrk exited with ${code}: ${stderr.trim() || stdout.trim()}`);
  return toSentLoad(readSummary(stdout), used);
}

/** Its processor time is lost when the process exits, so it is read while the process runs. */
function watchUsage(child: ChildProcess): () => number | undefined {
  let used: number | undefined;
  const timer = setInterval(() => {
    used = cpuSeconds(child.pid ?? 0) ?? used;
  }, POLL_MS);
  return () => {
    clearInterval(timer);
    return used;
  };
}

/** The script writes its summary on the last line, after the text of wrk itself. */
function readSummary(stdout: string): WrkSummary {
  return JSON.parse(stdout.slice(stdout.trimEnd().lastIndexOf('\n'))) as WrkSummary;
}

function toSentLoad({ errors, ...summary }: WrkSummary, usedSeconds: number | undefined): SentLoad {
  const failures = Object.entries(errors).filter(([, count]) => count > 0);
  if (failures.length > 0) throw new Error(`failed: ${failures.map(([kind, count]) => `${count} ${kind}`).join(', ')}`);
  const seconds = summary.microseconds / 1e6;
  return {
    answers: summary.requests,
    seconds,
    p50Ms: summary.p50 / 1000,
    p99Ms: summary.p99 / 1000,
    maxMs: summary.max / 1000,
    generatorBusy: usedSeconds === undefined ? null : usedSeconds / seconds,
  };
}
