import { Command } from 'commander';
import {
  type ListedSigningKey,
  listSigningKeys,
  provideSigningKeys,
  rotateSigningKey,
} from '../../domain/credentials/manage-signing-keys.ts';
import { prepareSecret } from '../../domain/manage-secret.ts';
import { retireSigningKey } from '../../domain/retire-signing-key.ts';
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
    .addHelpText(
      'after',
      `
The current key signs new access tokens. The next key is already published at /.well-known/jwks.json, so that it is known
when it begins to sign. An earlier key is deleted when the last token that it has signed has expired.
${examples('rollcall signing-key list')}`,
    )
    .action((options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        const keys = await listSigningKeys({ ...store, clock });
        const rows = keys.map((key) => [key.kid, formatTime(key.createdAt), stateText(key)]);
        const empty = 'There are no signing keys yet. The service makes them when it is started.';
        const text = rows.length ? formatTable(['KID', 'CREATED', 'STATE'], rows) : empty;
        print(options.json, keys.map(toJson), text);
      }),
    );
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description(
      'Sign new access tokens with the next key; tokens signed with earlier keys stay valid until they expire',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The service does this by itself after ROLLCALL_SIGNING_KEY_DAYS days (90 by default). If the current key has leaked, rotate
it, and ten seconds later retire it, which ends every token that it has signed.
${examples('rollcall signing-key rotate')}`,
    )
    .action((options: { json?: true }) =>
      withStore(
        async ({ store, clock }) => {
          const deps = { ...store, clock };
          await prepareSecret(deps);
          await provideSigningKeys(deps);
          const { kid, signsFrom } = await rotateSigningKey(deps);
          const from = formatTime(signsFrom);
          const text = `Signing key ${kid} signs new access tokens from ${from} on.`;
          print(options.json, { kid, signs_from: from }, text);
        },
        { needsSecret: true },
      ),
    );
}

function retireCommand(): Command {
  return new Command('retire')
    .description('Remove a signing key; every access token that it signed stops working within a second')
    .argument('<signing-key-id>', 'the id of the signing key, as `rollcall signing-key list` shows it')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The current key cannot be removed while it signs: run \`rollcall signing-key rotate\` ten seconds before.
${examples('rollcall signing-key retire 7c3f6d52-8e1b-4a90-b6d4-2f5a9c0e1d83')}`,
    )
    .action((kid: string, options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        await retireSigningKey({ ...store, clock }, kid);
        print(options.json, { kid, retired: true }, `Retired signing key ${kid}.`);
      }),
    );
}

function stateText({ state, signsFrom, endsAt }: ListedSigningKey): string {
  if (state === 'next') return signsFrom === null ? 'next' : `next, signs from ${formatTime(signsFrom)} on`;
  if (state === 'current') return 'current';
  return endsAt === null ? 'earlier' : `earlier, is deleted after ${formatTime(endsAt)}`;
}

function toJson({ kid, createdAt, state, signsFrom, endsAt }: ListedSigningKey) {
  return {
    kid,
    created_at: formatTime(createdAt),
    state,
    signs: state === 'current',
    signs_from: signsFrom === null ? null : formatTime(signsFrom),
    ends_at: endsAt === null ? null : formatTime(endsAt),
  };
}
