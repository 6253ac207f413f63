import { getSystemErrorMessage } from 'node:util';
import { type Command, CommanderError } from 'commander';
import { checkArguments } from './cli/check-arguments.ts';
import { ExitWithCode, FAILED, PIPE_CLOSED, SUCCESS, WRONG_USAGE } from './cli/exit-codes.ts';
import { InterruptedError } from './cli/interruption.ts';
import { OutputError, OutputMonitor, printMessage } from './cli/output.ts';
import { printable } from './cli/printable.ts';
import { program } from './cli/program.ts';
import { ConfigError } from './config.ts';
import { Failure } from './domain/failure.ts';

/** Ends a process that something keeps open after the command, such as a connection to a server that no longer answers. */
const LINGER_MS = 2000;

const output = new OutputMonitor();
const exitCode = await considerOutput(await run(process.argv.slice(2)));
if (typeof exitCode === 'number') process.exitCode = exitCode;
else process.kill(process.pid, exitCode);
setInterval(endUnlessPrinting, LINGER_MS).unref();

function endUnlessPrinting(): void {
  if (process.stdout.writableLength === 0) process.exit();
}

/** Returns the exit code, or the signal that the process must end with, so that its parent sees that it was stopped. */
async function run(args: string[]): Promise<number | NodeJS.Signals> {
  try {
    const root = withoutExiting(program());
    checkArguments(root, args);
    await root.parseAsync(args, { from: 'user' });
    return SUCCESS;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? SUCCESS : WRONG_USAGE;
    if (error instanceof ExitWithCode) return error.exitCode;
    if (error instanceof InterruptedError) {
      printMessage(`rollcall: ${error.message}.`);
      return error.signal;
    }
    // `considerOutput` reports the reason and changes the exit code.
    if (error instanceof OutputError) return SUCCESS;
    printMessage(`rollcall: ${explain(error)}`);
    return FAILED;
  }
}

/** A command whose output could not be written has failed. A closed pipe is not explained, because nobody reads it. */
async function considerOutput(code: number | NodeJS.Signals): Promise<number | NodeJS.Signals> {
  const outcome = await output.outcome();
  if (outcome === 'printed') return code;
  if (outcome === 'closed') return code === SUCCESS ? PIPE_CLOSED : code;
  printMessage(`rollcall: The output cannot be written: ${outcome.failed}.`);
  return FAILED;
}

/** One line for an error that the user or the machine has caused, and the whole stack for a defect. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof Failure) return printable(error.message);
  if (!(error instanceof Error)) return String(error);
  const { errno, syscall, path } = error as NodeJS.ErrnoException;
  if (typeof errno !== 'number' || syscall === undefined) return error.stack ?? error.message;
  return printable(`${path ?? syscall}: ${getSystemErrorMessage(errno)}.`);
}

/** Keeps Commander from ending the process, so that the exit code is decided only here. */
function withoutExiting(command: Command): Command {
  command.exitOverride();
  for (const each of command.commands) withoutExiting(each);
  return command;
}
