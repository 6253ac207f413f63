import { Command, Help, type Option } from 'commander';
import { packageVersion } from '../package-folder.ts';
import { backupCommand } from './backup.ts';
import { clientCommand, exportCommand, groupCommand, importCommand, sampleCommand } from './clients/index.ts';
import { copyCommand } from './copy.ts';
import { keyCommand, signingKeyCommand } from './credentials/index.ts';
import { doctorCommand } from './doctor.ts';
import { drillCommand } from './drill.ts';
import { epochCommand } from './epoch.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { accountCommand, auditCommand, memberCommand } from './members/index.ts';
import { migrateCommand } from './migrate.ts';
import { examples } from './options.ts';
import { restoreCommand } from './restore.ts';
import { secretCommand } from './secret.ts';
import { serveCommand } from './serving/serve.ts';
import { topCommand } from './top/top.ts';

/** The program with all its commands. */
export function program(): Command {
  const root = new Command('rollcall')
    .description('Who are our clients, and where does each stand?')
    .version(packageVersion(), '-V, --version', 'show the version')
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
    .addCommand(secretCommand())
    .addCommand(sampleCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(drillCommand())
    .addCommand(copyCommand())
    .addCommand(epochCommand())
    .addCommand(auditCommand())
    .addCommand(doctorCommand())
    .addCommand(topCommand());
  configureHelp(root);
  return root;
}

/** Help and errors in the same form as the other messages of the program. */
function configureHelp(command: Command): void {
  command.helpOption('-h, --help', 'show this help');
  if (command.commands.length > 0) command.helpCommand('help [command]', 'Show the help of a command');
  command.configureOutput({ outputError: (text, write) => write(`rollcall: ${toSentence(text)}`) });
  command.showHelpAfterError('Add --help to see the arguments and options.');
  command.configureHelp({ optionDescription });
  for (const each of command.commands) configureHelp(each);
}

/** Commander begins its messages with `error: ` and a small letter, and ends most of them without a full stop. */
function toSentence(text: string): string {
  const message = text.replace(/^error: /, '').trimEnd();
  const end = /[.?)]$/.test(message) ? '' : '.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${end}\n`;
}

function optionDescription(option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}
