import { Command } from 'commander';
import { examples } from '../options.ts';
import { createKeyCommand, limitKeyCommand, revokeKeyCommand, updateKeyCommand } from './key-changes.ts';
import { listingsCommand } from './key-listings.ts';
import { endOldSecretCommand, rollKeyCommand } from './key-secrets.ts';
import { listKeysCommand, showKeyCommand } from './show-keys.ts';

export function keyCommand(): Command {
  return new Command('key')
    .description('Manage API keys, which programs exchange for access tokens')
    .addCommand(createKeyCommand())
    .addCommand(listKeysCommand())
    .addCommand(showKeyCommand())
    .addCommand(listingsCommand())
    .addCommand(updateKeyCommand())
    .addCommand(limitKeyCommand())
    .addCommand(rollKeyCommand())
    .addCommand(endOldSecretCommand())
    .addCommand(revokeKeyCommand())
    .addHelpText('after', examples('rollcall key list --account owner@keller.example'));
}
