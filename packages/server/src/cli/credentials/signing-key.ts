import { Command } from 'commander';
import { retireSigningKey, rotateSigningKey, SigningKeyRing } from '../../domain/credentials/signing-keys.ts';
import { formatTime } from '../../domain/time.ts';
import { withStore } from '../context.ts';
import { examples, jsonOption } from '../options.ts';
import { formatTable, print } from '../output.ts';

export function signingKeyCommand(): Command {
  return new Command('signing-key')
    .description('Manage the keys that access tokens are signed with')
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(retireCommand())
    .addHelpText('after', examples('rollcall signing-key list'));
}

function listCommand(): Command {
  return new Command('list')
    .description('List the signing keys; the keys themselves are never shown')
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall signing-key list'))
    .action((options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        const current = (await SigningKeyRing.open({ ...store, clock })).current();
        const keys = (await store.signingKeys.all()).map(({ kid, createdAt }) => ({
          kid,
          created_at: formatTime(createdAt),
          signs: kid === current.kid,
        }));
        const rows = keys.map((key) => [key.kid, key.created_at, key.signs ? 'yes' : 'no']);
        print(options.json, keys, formatTable(['KID', 'CREATED', 'SIGNS'], rows));
      }),
    );
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('Sign new access tokens with a new key; tokens signed with older keys stay valid until they expire')
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall signing-key rotate'))
    .action((options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        const { kid, signsFrom } = await rotateSigningKey({ ...store, clock });
        const from = formatTime(signsFrom);
        print(
          options.json,
          { kid, signs_from: from },
          `Added signing key ${kid}. It signs new access tokens from ${from} on.`,
        );
      }),
    );
}

function retireCommand(): Command {
  return new Command('retire')
    .description('Remove a signing key; every access token that it signed stops working within a second')
    .argument('<signing-key-id>', 'the id of the signing key, as `rollcall signing-key list` shows it')
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall signing-key retire 7c3f6d52-8e1b-4a90-b6d4-2f5a9c0e1d83'))
    .action((kid: string, options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        await retireSigningKey({ ...store, clock }, kid);
        print(options.json, { kid, retired: true }, `Retired signing key ${kid}.`);
      }),
    );
}
