import { parseCommand } from './command.ts';
import { exitCodeOf, SUCCESS } from './exit-codes.ts';
import { helpText, version } from './help.ts';
import { importFile } from './import-file.ts';
import { listClients } from './list-clients.ts';
import { openRollcall } from './open-rollcall.ts';
import { explain, isClosedPipe, write } from './output.ts';
import type { ProcessIo } from './process-io.ts';
import { retryReporter } from './report-retries.ts';
import { writeClient } from './write-client.ts';

/** Runs one command and resolves with the exit code. Data goes to stdout, everything else to stderr. */
export async function run(io: ProcessIo): Promise<number> {
  const { argv, env, stdout, stderr } = io;
  // The failed write reports the error. Without a listener, the event would end the process with a stack trace.
  stdout.on('error', () => {});
  const onRetry = retryReporter(stderr);
  const open = ({ retryForMs, quiet = false }: { retryForMs: number | undefined; quiet?: boolean }) =>
    openRollcall(env, { retryForMs, onRetry: quiet ? undefined : onRetry });
  try {
    const command = parseCommand(argv.slice(2));
    switch (command.name) {
      case 'help':
        await write(stdout, helpText());
        break;
      case 'version':
        await write(stdout, `${version()}\n`);
        break;
      case 'token':
        await write(stdout, `${await open(command).token()}\n`);
        break;
      case 'summary': {
        const summary = await open(command).clients.summary(command.filters);
        await write(stdout, `${JSON.stringify(summary, null, 2)}\n`);
        break;
      }
      case 'list':
        await listClients(open(command), command, io);
        break;
      case 'add':
      case 'update':
        await writeClient(open(command), command, io);
        break;
      case 'import':
        return await importFile(open(command), command, io);
    }
    return SUCCESS;
  } catch (error) {
    // The reader of the output has seen enough, as in `| head`.
    if (isClosedPipe(error)) return SUCCESS;
    stderr.write(`rollcall-clients: ${explain(error)}\n`);
    return exitCodeOf(error);
  }
}
