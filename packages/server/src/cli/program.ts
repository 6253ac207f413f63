import { readFileSync } from 'node:fs';
import { Command, Help, type Option } from 'commander';
import { clientCommand, exportCommand, groupCommand, importCommand, sampleCommand } from './clients/index.ts';
import { copyCommand } from './copy.ts';
import { keyCommand, signingKeyCommand } from './credentials/index.ts';
import { doctorCommand } from './doctor.ts';
import { epochCommand } from './epoch.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { accountCommand, memberCommand } from './members/index.ts';
import { migrateCommand } from './migrate.ts';
import { examples } from './options.ts';
import { serveCommand } from './serving/serve.ts';

/** The program with all its commands. */
export function program(): Command {
  const root = new Command('rollcall')
    .description('Who are our clients, and where does each stand?')
    .version(version())
    .addHelpText(
      'after',
      `\nSettings are read from ROLLCALL_* environment variables and a .env file; the README lists them.\n${EXIT_CODES}\n${examples('rollcall serve --demo', 'rollcall help import')}`,
    )
    .addCommand(serveCommand())
    .addCommand(migrateCommand())
    .addCommand(accountCommand())
    .addCommand(memberCommand())
    .addCommand(keyCommand())
    .addCommand(groupCommand())
    .addCommand(clientCommand())
    .addCommand(importCommand())
    .addCommand(exportCommand())
    .addCommand(signingKeyCommand())
    .addCommand(sampleCommand())
    .addCommand(copyCommand())
    .addCommand(epochCommand())
    .addCommand(doctorCommand());
  configureHelp(root);
  return root;
}

function configureHelp(command: Command): void {
  command.showHelpAfterError('Add --help to see the arguments and options.');
  command.configureHelp({ optionDescription });
  for (const each of command.commands) configureHelp(each);
}

function optionDescription(option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}

function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
