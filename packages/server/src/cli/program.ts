import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { accountCommand } from './account.ts';
import { clientCommand } from './client.ts';
import { copyCommand } from './copy.ts';
import { doctorCommand } from './doctor.ts';
import { epochCommand } from './epoch.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { exportCommand } from './export.ts';
import { groupCommand } from './group.ts';
import { importCommand } from './import.ts';
import { keyCommand } from './key.ts';
import { memberCommand } from './member.ts';
import { migrateCommand } from './migrate.ts';
import { sampleCommand } from './sample.ts';
import { serveCommand } from './serve.ts';
import { signingKeyCommand } from './signing-key.ts';

/** Every command there is. */
export function program(): Command {
  const root = new Command('rollcall')
    .description('Who are our clients, and where does each stand?')
    .version(version())
    .addHelpText(
      'after',
      `\nSettings come from ROLLCALL_* environment variables and a .env file; the README lists them.\n${EXIT_CODES}`,
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
  explainErrors(root);
  return root;
}

function explainErrors(command: Command): void {
  command.showHelpAfterError('Add --help for what it takes.');
  for (const each of command.commands) explainErrors(each);
}

function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
