import { type ChildProcess, fork, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();

// No child process may outlive the run, however it ends.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

function track(child: ChildProcess): ChildProcess {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export function startNode(
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; stdio: StdioOptions },
): ChildProcess {
  return track(spawn(process.execPath, args, options));
}

/** Starts another program, whose output can be read. */
export function startProgram(program: string, args: string[]): ChildProcess {
  return track(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Runs a script in its own process, which accepts messages. */
export function forkScript(script: URL, args: string[] = []): ChildProcess {
  return track(fork(script, args));
}

/** The next message of the process. Fails if the process exits instead. */
export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A process of the benchmark exited with ${code}.`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as T);
    });
  });
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await exited;
  clearTimeout(timer);
}
