import { Command } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import type { ApiKey } from '../../domain/credentials/api-key.ts';
import { createKey, revokeAnyKey } from '../../domain/credentials/manage-keys.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts';
import { findAccount, findWorkspace } from '../../domain/members/index.ts';
import { formatTime } from '../../domain/time.ts';
import { withStore } from '../context.ts';
import { accountOption, environmentOption, examples, jsonOption } from '../options.ts';
import { formatTable, print } from '../output.ts';
import { printable } from '../printable.ts';

export function keyCommand(): Command {
  return new Command('key')
    .description('Manage API keys, which programs exchange for access tokens')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addHelpText('after', examples('rollcall key list --account owner@keller.example'));
}

function createCommand(): Command {
  return new Command('create')
    .description('Create an API key and show it once')
    .addOption(accountOption())
    .addOption(environmentOption().makeOptionMandatory())
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples('rollcall key create --account owner@keller.example --environment sandbox --name "my laptop"'),
    )
    .action((options: { account: string; environment: Environment; name: string; json?: true }) =>
      withStore(async ({ store, clock }) => {
        const { environment, name } = options;
        const workspaceId = await findWorkspace(store, options.account, environment);
        const { key, secret } = await createKey(
          { ...store, clock },
          { workspaceId, actor: OPERATOR },
          { environment, name },
        );
        const text = `Created ${environment} API key ${key.id}. The key itself, which is shown only once:\n${secret}`;
        print(options.json, { ...toJson(key), api_key: secret }, text);
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('List the API keys of an account; the keys themselves cannot be shown again')
    .addOption(accountOption())
    .addOption(environmentOption('list only the keys of this environment'))
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall key list --account owner@keller.example'))
    .action((options: { account: string; environment?: Environment; json?: true }) =>
      withStore(async ({ store }) => {
        const account = await findAccount(store, options.account);
        const environments = options.environment ? [options.environment] : ENVIRONMENTS;
        const keys: ApiKey[] = [];
        for (const environment of environments) {
          keys.push(...(await store.keys.list(await store.accounts.workspaceId(account.id, environment))));
        }
        const rows = keys.map((key) => [
          key.id,
          key.environment,
          key.name,
          key.preview,
          formatTime(key.createdAt),
          state(key),
        ]);
        const header = ['KEY ID', 'ENVIRONMENT', 'NAME', 'KEY', 'CREATED', 'STATE'];
        const empty = 'There are no API keys yet. Create one with `rollcall key create`.';
        print(options.json, keys.map(toJson), rows.length ? formatTable(header, rows) : empty);
      }),
    );
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('Revoke an API key; every access token issued for it stops working within a second')
    .argument('<key-id>', 'the id of the key, as `rollcall key list` shows it')
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall key revoke key_0h3k9x2m7q4w8e1r5t6'))
    .action((keyId: string, options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        const key = await revokeAnyKey({ ...store, clock }, OPERATOR, keyId);
        print(options.json, toJson(key), `Revoked ${key.environment} API key ${key.id} ("${printable(key.name)}").`);
      }),
    );
}

function state(key: ApiKey): string {
  if (key.revokedAt !== null) return `revoked ${formatTime(key.revokedAt)}`;
  return key.expiresAt === null ? 'valid' : `valid until ${formatTime(key.expiresAt)}`;
}

function toJson(key: ApiKey) {
  return {
    key_id: key.id,
    environment: key.environment,
    name: key.name,
    preview: key.preview,
    created_at: formatTime(key.createdAt),
    expires_at: key.expiresAt === null ? null : formatTime(key.expiresAt),
    revoked_at: key.revokedAt === null ? null : formatTime(key.revokedAt),
  };
}
