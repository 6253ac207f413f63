import { getSystemErrorMessage } from 'node:util';
import { type Command, CommanderError } from 'commander';
import { DONE, EndWith, FAILED, PIPE_CLOSED, WRONG_USAGE } from './cli/exit-codes.ts';
import { Interrupted } from './cli/interruption.ts';
import { OutputLost, OutputWatch, tell } from './cli/output.ts';
import { printable } from './cli/printable.ts';
import { program } from './cli/program.ts';
import { refuseUnknownOptions } from './cli/unknown-options.ts';
import { ConfigError } from './config.ts';
import { Failure } from './domain/failure.ts';

/** For what holds the process open after the command is done: a connection to a server that no longer answers, say. */
const LINGER_MS = 2000;

const output = new OutputWatch();
const ended = await run(process.argv.slice(2));
const exitCode = await withOutput(ended);
if (typeof exitCode === 'number') process.exitCode = exitCode;
else process.kill(process.pid, exitCode);
setInterval(endUnlessPrinting, LINGER_MS).unref();

function endUnlessPrinting(): void {
  if (process.stdout.writableLength === 0) process.exit();
}

/** Returns the exit code, or the signal that the process ends by: whoever started it should see that it was stopped. */
async function run(args: string[]): Promise<number | NodeJS.Signals> {
  try {
    const root = withoutExiting(program());
    refuseUnknownOptions(root, args);
    await root.parseAsync(args, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    if (error instanceof EndWith) return error.exitCode;
    if (error instanceof Interrupted) {
      tell(`rollcall: ${error.message}.`);
      return error.signal;
    }
    // Why, and what that means for the exit code, is found out below.
    if (error instanceof OutputLost) return DONE;
    tell(`rollcall: ${explain(error)}`);
    return FAILED;
  }
}

/** What nobody could read was not done well, however well it went otherwise. A reader who has left needs no explanation. */
async function withOutput(code: number | NodeJS.Signals): Promise<number | NodeJS.Signals> {
  const outcome = await output.outcome();
  if (outcome === 'printed') return code;
  if (outcome === 'closed') return code === DONE ? PIPE_CLOSED : code;
  tell(`rollcall: The output cannot be written: ${outcome.failed}.`);
  return FAILED;
}

/** One line for what the user or the machine can be the cause of; everything there is for a defect. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof Failure) return printable(error.message);
  if (!(error instanceof Error)) return String(error);
  const { errno, syscall, path } = error as NodeJS.ErrnoException;
  if (typeof errno !== 'number' || syscall === undefined) return error.stack ?? error.message;
  return printable(`${path ?? syscall}: ${getSystemErrorMessage(errno)}.`);
}

/** Commander would end the process itself; the exit code is decided here alone. */
function withoutExiting(command: Command): Command {
  command.exitOverride();
  for (const each of command.commands) withoutExiting(each);
  return command;
}
