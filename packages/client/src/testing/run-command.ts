import { PassThrough, Readable } from 'node:stream';
import type { Output } from '../cli/process-io.ts';
import { run } from '../cli/run.ts';
import type { FakeService } from './fake-service.ts';

export interface CallOptions {
  /** The width of the terminal that stdout goes to; without it, stdout is a pipe. */
  columns?: number;
  stderrIsTerminal?: boolean;
  env?: Record<string, string>;
  stdin?: string | Readable;
}

/** Runs a command, with arguments as a list or separated by spaces. */
export async function call(
  service: FakeService | undefined,
  args: string | readonly string[],
  options: CallOptions = {},
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [collect(stdout), collect(stderr)];
  if (options.columns) Object.assign(stdout, { isTTY: true, columns: options.columns });
  if (options.stderrIsTerminal) Object.assign(stderr, { isTTY: true });
  const env = options.env ?? { ROLLCALL_API_KEY: 'key', ROLLCALL_BASE_URL: service?.address ?? 'http://127.0.0.1:9' };
  const words = typeof args === 'string' ? args.split(' ').filter((word) => word !== '') : args;
  const code = await run({
    argv: ['node', 'rollcall-clients', ...words],
    env,
    stdin: options.stdin instanceof Readable ? options.stdin : Readable.from([options.stdin ?? '']),
    stdout,
    stderr,
  });
  return { code, stdout: out(), stderr: err() };
}

function collect(stream: Output): () => string {
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}
