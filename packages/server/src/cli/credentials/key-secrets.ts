import { Command } from 'commander';
import { oldSecret } from '../../domain/credentials/api-key.ts';
import { endOldSecret, type RolledKey, rollKey } from '../../domain/credentials/roll-key.ts';
import { formatTime } from '../../domain/time.ts';
import { withStore } from '../context.ts';
import { examples, jsonOption } from '../options.ts';
import { print } from '../output.ts';
import { nameOf } from './key-changes.ts';
import { changeAnyKey, EXAMPLE_KEY_ID, keyArgument, overlapOption } from './key-options.ts';
import { keyToJson } from './key-output.ts';

export function rollKeyCommand(): Command {
  return new Command('roll')
    .description('Give an API key a new secret and show it once; the old secret works for a while longer')
    .addArgument(keyArgument())
    .addOption(overlapOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(`rollcall key roll ${EXAMPLE_KEY_ID} --overlap 7d`, `rollcall key roll ${EXAMPLE_KEY_ID} --overlap 0`),
    )
    .action((keyId: string, options: { overlap: number; json?: true }) =>
      withStore(async (context) => {
        const { deps, by } = await changeAnyKey(context, keyId);
        const rolled = await rollKey(deps, by, keyId, { overlapSeconds: options.overlap });
        print(options.json, rolledToJson(rolled), describeRolled(rolled, deps.clock.now()));
      }),
    );
}

function rolledToJson({ key, secret, ended }: RolledKey) {
  return { ...keyToJson(key), api_key: secret, ended_preview: ended?.preview ?? null };
}

function describeRolled({ key, secret, ended }: RolledKey, now: number): string {
  const end = oldSecret(key, now)?.endsAt;
  return [
    `Rolled ${nameOf(key)}. Its new secret, which is shown only once:`,
    secret,
    end ? `The old secret works until ${formatTime(end)}.` : 'The old secret has stopped working.',
    ...(ended ? [`The secret ${ended.preview} has stopped working too, because at most two work at a time.`] : []),
  ].join('\n');
}

export function endOldSecretCommand(): Command {
  return new Command('end-old-secret')
    .description('End the old secret of a rolled API key now; access tokens made from it stop working within a second')
    .addArgument(keyArgument())
    .addOption(jsonOption())
    .addHelpText('after', examples(`rollcall key end-old-secret ${EXAMPLE_KEY_ID}`))
    .action((keyId: string, options: { json?: true }) =>
      withStore(async (context) => {
        const { deps, by } = await changeAnyKey(context, keyId);
        const key = await endOldSecret(deps, by, keyId);
        print(options.json, keyToJson(key), `Ended the old secret of ${nameOf(key)}.`);
      }),
    );
}
