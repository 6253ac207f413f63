import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { accountCommand } from './cli/account.ts';
import { clientCommand } from './cli/client.ts';
import { copyCommand } from './cli/copy.ts';
import { doctorCommand } from './cli/doctor.ts';
import { exportCommand } from './cli/export.ts';
import { groupCommand } from './cli/group.ts';
import { importCommand } from './cli/import.ts';
import { keyCommand } from './cli/key.ts';
import { migrateCommand } from './cli/migrate.ts';
import { tell } from './cli/output.ts';
import { sampleCommand } from './cli/sample.ts';
import { serveCommand } from './cli/serve.ts';
import { signingKeyCommand } from './cli/signing-key.ts';
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
    await program().parseAsync(args, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    if (error instanceof ConfigError || error instanceof Failure) tell(`rollcall: ${error.message}`);
    else tell(`rollcall: ${error instanceof Error ? error.stack : String(error)}`);
    return FAILED;
  }
}

function program(): Command {
  const root = new Command('rollcall')
    .description('Who are our clients, and where does each stand?')
    .version(version())
    .addHelpText(
      'after',
      '\nSettings come from ROLLCALL_* environment variables and a .env file; the README lists them.',
    )
    .addCommand(serveCommand())
    .addCommand(migrateCommand())
    .addCommand(accountCommand())
    .addCommand(keyCommand())
    .addCommand(groupCommand())
    .addCommand(clientCommand())
    .addCommand(importCommand())
    .addCommand(exportCommand())
    .addCommand(signingKeyCommand())
    .addCommand(sampleCommand())
    .addCommand(copyCommand())
    .addCommand(doctorCommand());
  throwInsteadOfExiting(root);
  return root;
}

/** Commander would end the process itself; the exit code is decided here alone. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride().showHelpAfterError('Add --help for what it takes.');
  for (const each of command.commands) throwInsteadOfExiting(each);
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return manifest.version;
}
