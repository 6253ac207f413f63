import { parseCommand } from './command.ts';
import { exitCodeOf, SUCCESS } from './exit-codes.ts';
import { helpText, version } from './help.ts';
import { listClients } from './list-clients.ts';
import { openRollcall } from './open-rollcall.ts';
import { explain, isClosedPipe, write } from './output.ts';
import type { ProcessIo } from './process-io.ts';
import { retryReporter } from './report-retries.ts';

/** Runs one command and resolves with the exit code. Data goes to stdout, everything else to stderr. */
export async function run(io: ProcessIo): Promise<number> {
  const { argv, env, stdout, stderr } = io;
  // The failed write reports the error. Without a listener, the event would end the process with a stack trace.
  stdout.on('error', () => {});
  const onRetry = retryReporter(stderr);
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
        await write(stdout, `${await openRollcall(env, { retryForMs: command.retryForMs, onRetry }).token()}\n`);
        break;
      case 'summary': {
        const rollcall = openRollcall(env, { retryForMs: command.retryForMs, onRetry });
        await write(stdout, `${JSON.stringify(await rollcall.clients.summary(command.filters), null, 2)}\n`);
        break;
      }
      case 'list':
        await listClients(
          openRollcall(env, { retryForMs: command.retryForMs, onRetry: command.quiet ? undefined : onRetry }),
          command,
          io,
        );
        break;
    }
    return SUCCESS;
  } catch (error) {
    // The reader of the output has seen enough, as in `| head`.
    if (isClosedPipe(error)) return SUCCESS;
    stderr.write(`rollcall-clients: ${explain(error)}\n`);
    return exitCodeOf(error);
  }
}
