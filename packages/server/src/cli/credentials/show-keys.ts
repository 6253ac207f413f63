import { Command } from 'commander';
import { type KeyWithUsage, listKeys, readKey } from '../../domain/credentials/describe-keys.ts';
import { findWorkspaceOfKey } from '../../domain/credentials/manage-keys.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts';
import { findAccount } from '../../domain/members/index.ts';
import { withStore } from '../context.ts';
import { accountOption, environmentOption, examples, jsonOption } from '../options.ts';
import { formatTable, print } from '../output.ts';
import { EXAMPLE_KEY_ID, keyArgument } from './key-options.ts';
import { callsOfLastDay, describeKey, keyToJson, lastUseOf, stateWithWarning } from './key-output.ts';

export function listKeysCommand(): Command {
  return new Command('list')
    .description('List the API keys of an account; the keys themselves cannot be shown again')
    .addOption(accountOption())
    .addOption(environmentOption('list only the keys of this environment'))
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall key list --account owner@keller.example'))
    .action((options: { account: string; environment?: Environment; json?: true }) =>
      withStore(async ({ store, clock }) => {
        const account = await findAccount(store, options.account);
        const keys: KeyWithUsage[] = [];
        for (const environment of options.environment ? [options.environment] : ENVIRONMENTS) {
          const workspaceId = await store.accounts.workspaceId(account.id, environment);
          keys.push(...(await listKeys({ ...store, clock }, workspaceId)));
        }
        const empty = 'There are no API keys yet. Create one with `rollcall key create`.';
        const text = keys.length > 0 ? tableOf(keys, clock.now()) : empty;
        print(
          options.json,
          keys.map((key) => ({ ...keyToJson(key), recent_calls: key.recentCalls, idle: key.isIdle })),
          text,
        );
      }),
    );
}

function tableOf(keys: readonly KeyWithUsage[], now: number): string {
  const rows = keys.map((key) => [
    key.id,
    key.environment,
    key.name,
    key.secrets.at(-1)?.preview ?? '',
    key.scopes.join(','),
    lastUseOf(key),
    stateWithWarning(key, now),
  ]);
  return formatTable(['KEY ID', 'ENVIRONMENT', 'NAME', 'KEY', 'SCOPES', 'LAST USED', 'STATE'], rows);
}

export function showKeyCommand(): Command {
  return new Command('show')
    .description('Show everything about an API key except its secrets, which cannot be shown again')
    .addArgument(keyArgument())
    .addOption(jsonOption())
    .addHelpText('after', examples(`rollcall key show ${EXAMPLE_KEY_ID}`))
    .action((keyId: string, options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        const key = await readKey({ ...store, clock }, await findWorkspaceOfKey(store.keys, keyId), keyId);
        const usage = { calls_24_hours: callsOfLastDay(key), calls_30_days: key.recentCalls, idle: key.isIdle };
        print(options.json, { ...keyToJson(key), ...usage }, describeKey(key, clock.now()));
      }),
    );
}
