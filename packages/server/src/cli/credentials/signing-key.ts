import { Command } from 'commander';
import { KeyRing, retireSigningKey, rotateSigningKey } from '../../domain/credentials/signing-keys.ts';
import { withStore } from '../context.ts';
import { jsonOption } from '../options.ts';
import { print, table, timeText } from '../output.ts';

export function signingKeyCommand(): Command {
  return new Command('signing-key')
    .description('Signing keys: what access tokens are signed with')
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(retireCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('List the signing keys; the keys themselves are never shown')
    .addOption(jsonOption())
    .action((options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        const current = (await KeyRing.open({ ...store, clock })).current();
        const keys = (await store.signingKeys.all()).map(({ kid, createdAt }) => ({
          kid,
          created_at: timeText(createdAt),
          signs: kid === current.kid,
        }));
        const rows = keys.map((key) => [key.kid, key.created_at, key.signs ? 'yes' : 'no']);
        print(options.json, keys, table(['KID', 'CREATED', 'SIGNS'], rows));
      }),
    );
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('Sign new access tokens with a new key; those signed with older ones stay valid until they expire')
    .addOption(jsonOption())
    .action((options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        const { kid, signsFrom } = await rotateSigningKey({ ...store, clock });
        const from = timeText(signsFrom);
        print(options.json, { kid, signs_from: from }, `Added signing key ${kid}. It signs from ${from} on.`);
      }),
    );
}

function retireCommand(): Command {
  return new Command('retire')
    .description('Remove a signing key; every access token that it signed stops working within a second')
    .argument('<kid>', 'as `rollcall signing-key list` shows it')
    .addOption(jsonOption())
    .action((kid: string, options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        await retireSigningKey({ ...store, clock }, kid);
        print(options.json, { kid, retired: true }, `Retired signing key ${kid}.`);
      }),
    );
}
