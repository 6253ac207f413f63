import { type Command, CommanderError } from 'commander';
import { tell } from './cli/output.ts';
import { printable } from './cli/printable.ts';
import { program } from './cli/program.ts';
import { ConfigError } from './config.ts';
import { Failure } from './domain/failure.ts';

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** For what holds the process open after the command is done: a connection to a server that no longer answers, say. */
const LINGER_MS = 2000;

process.exitCode = await run(process.argv.slice(2));
setInterval(endUnlessPrinting, LINGER_MS).unref();

function endUnlessPrinting(): void {
  if (process.stdout.writableLength === 0) process.exit();
}

async function run(args: string[]): Promise<number> {
  try {
    await withoutExiting(program()).parseAsync(args, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    if (error instanceof ConfigError || error instanceof Failure) tell(`rollcall: ${printable(error.message)}`);
    else tell(`rollcall: ${error instanceof Error ? error.stack : String(error)}`);
    return FAILED;
  }
}

/** Commander would end the process itself; the exit code is decided here alone. */
function withoutExiting(command: Command): Command {
  command.exitOverride();
  for (const each of command.commands) withoutExiting(each);
  return command;
}
