import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Answered, LoadOptions } from './load.ts';

const SCRIPT = fileURLToPath(new URL('load.ts', import.meta.url));

/**
 * Sends requests from a process of its own, so that the test does not slow them down. With a lower `priority`, it takes less of the
 * processors from the service and from other callers, as if it ran on another machine.
 */
export async function load({ priority = 0, ...options }: LoadOptions & { priority?: number }): Promise<Answered[]> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (priority !== 0 && child.pid) setPriority(child.pid, getPriority() + priority);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(code).toBe(0);
  const { unsent, answers }: { unsent: number; answers: Answered[] } = JSON.parse(output);
  expect(unsent).toBe(0);
  return answers;
}

/** How long the slowest but one percent took. */
export function p99(answers: readonly Answered[]): number {
  const sorted = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

export function withStatus(answers: readonly Answered[], status: number): Answered[] {
  return answers.filter((answer) => answer.status === status);
}
