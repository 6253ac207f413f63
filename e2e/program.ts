import { type ChildProcessWithoutNullStreams, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { TEST_SECRET_TEXT } from '../packages/server/src/testing/test-secret.ts';

export const BIN = fileURLToPath(new URL('../packages/server/bin/rollcall.js', import.meta.url));
/** As its first line says. Without them, it would start itself again with them. */
const NODE_FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=8'];
const READY_TIMEOUT_MS = 300_000;

/** For tests that call as often as they can. */
export const NO_RATE_LIMITS = {
  ROLLCALL_RATE_LIMIT_API: '0',
  ROLLCALL_RATE_LIMIT_TOKEN: '0',
  ROLLCALL_RATE_LIMIT_FAILED: '0',
};

/** A pipe to the test, or the descriptor of a file. */
type Stderr = 'pipe' | number;

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  /** The output until it was ready. */
  output: string;
  process: ChildProcessWithoutNullStreams;
  /** Everything it has logged so far. */
  log(): string;
  /** Asks it to stop, and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Serving extends Started {
  production: string;
  sandbox: string;
  dashboard: string;
}

/** Registers a function that is called when the program is no longer needed. */
export type RegisterCleanUp = (cleanUp: () => Promise<void> | void) => void;

/** The real program with its own working directory and database, which are removed when the test is over by default. */
export class Program {
  readonly folder = mkdtempSync(join(tmpdir(), 'rollcall-e2e-'));
  readonly environment: Record<string, string>;
  /** What is run from now on, if it is another version. */
  bin = BIN;
  readonly #onFinished: RegisterCleanUp;

  constructor(environment: Record<string, string> = {}, onFinished: RegisterCleanUp = onTestFinished) {
    this.environment = {
      PATH: process.env.PATH ?? '',
      ROLLCALL_PRODUCTION_PORT: '0',
      ROLLCALL_SANDBOX_PORT: '0',
      ROLLCALL_DASHBOARD_PORT: '0',
      ROLLCALL_DRAIN_SECONDS: '0',
      // On a busy machine, a test that calls often could be refused.
      ROLLCALL_OVERLOAD: 'wait',
      // On SQLite, the program makes its own secret.
      ...(environment.ROLLCALL_DATABASE_URL?.startsWith('postgres') && { ROLLCALL_SECRET: TEST_SECRET_TEXT }),
      ...environment,
    };
    this.#onFinished = onFinished;
    onFinished(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 }));
  }

  /** The address of its database, with an absolute path. */
  get databaseUrl(): string {
    const { ROLLCALL_DATABASE_URL: url = 'sqlite:data/rollcall.db' } = this.environment;
    return url.replace(/^sqlite:(.+)/, (_, path) => `sqlite:${resolve(this.folder, path)}`);
  }

  /** Runs a command to its end. */
  async run(args: string[], input = ''): Promise<Run> {
    const child = this.#spawn(args, process.execPath);
    child.stdin.end(input);
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.on('exit', resolve)),
    ]);
    return { code, stdout, stderr };
  }

  /** Runs a command in a shell, for redirections. `$rollcall` is the program. */
  async shell(command: string): Promise<Run> {
    const env = { ...this.environment, rollcall: `${process.execPath} ${this.bin}` };
    const child = spawn('sh', ['-c', command], { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
    return { code, stdout, stderr };
  }

  /** Starts a command and lets it run. If `input` is given, stdin stays open after it. */
  start(
    args: string[],
    input?: string,
  ): {
    pid: number;
    kill(signal: NodeJS.Signals): void;
    exited: Promise<number | null>;
    /** The signal that ended it, and its messages. */
    ended: Promise<{ signal: NodeJS.Signals | null; stderr: string }>;
  } {
    const child = this.#spawn(args, process.execPath);
    // It may be stopped before it has read all of its input.
    child.stdin.on('error', () => {});
    if (input === undefined) child.stdin.end();
    else child.stdin.write(input);
    child.stdout.resume();
    child.stderr.pipe(process.stderr, { end: false });
    const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const ended = once(child, 'close').then(() => ({ signal: child.signalCode, stderr }));
    return { pid: child.pid ?? 0, kill: (signal) => child.kill(signal), exited, ended };
  }

  /** Runs a command that must end with this exit code, and parses the JSON that it prints. */
  async json<T>(args: string[], input?: string, exitCode = 0): Promise<T> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], input);
    if (code !== exitCode) throw new Error(`rollcall ${args.join(' ')} exited with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  /** Starts the service and waits until it is ready. */
  async serve(args: string[] = [], node = process.execPath, stderr: Stderr = 'pipe'): Promise<Serving> {
    const isReady = (stdout: string) => stdout.includes('\n');
    const started = await this.#start(['serve', '--json', ...args], node, isReady, stderr);
    const { production, sandbox, dashboard } = JSON.parse(started.output);
    return { production, sandbox, dashboard, ...started };
  }

  /** Starts the service without `--json`, and waits for the text that it prints when it is ready. */
  async serveWithText(args: string[] = []): Promise<Started> {
    return this.#start(['serve', ...args], process.execPath, (stdout) => stdout.endsWith('\n\n'));
  }

  /** Starts the service with its log going to this file or pipe. */
  serveLoggingTo(descriptor: number, args: string[] = []): Promise<Serving> {
    return this.serve(args, process.execPath, descriptor);
  }

  async #start(
    args: string[],
    node: string,
    isReady: (stdout: string) => boolean,
    stderrTo: Stderr = 'pipe',
  ): Promise<Started> {
    const child = this.#spawn(args, node, stderrTo);
    let [stdout, stderr] = ['', ''];
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
    this.#onFinished(async () => {
      child.kill('SIGKILL');
      await exited;
    });

    const output = await new Promise<string>((resolve, reject) => {
      setTimeout(() => reject(new Error(`The service was not ready in time: ${stderr}`)), READY_TIMEOUT_MS).unref();
      exited.then((code) => reject(new Error(`The service exited with ${code}: ${stderr}`)));
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
        if (isReady(stdout)) resolve(stdout);
      });
    });
    return {
      output,
      process: child,
      log: () => stderr,
      stop: (signal = 'SIGTERM') => {
        child.kill(signal);
        return exited;
      },
    };
  }

  #spawn(args: string[], node: string, stderr: Stderr = 'pipe'): ChildProcessWithoutNullStreams {
    const stdio: StdioOptions = ['pipe', 'pipe', stderr];
    const options = { cwd: this.folder, env: this.environment, stdio };
    return spawn(node, [...NODE_FLAGS, this.bin, ...args], options) as ChildProcessWithoutNullStreams;
  }
}
