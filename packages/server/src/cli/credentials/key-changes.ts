import { Command } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import type { ApiKey } from '../../domain/credentials/api-key.ts';
import type { KeyFields } from '../../domain/credentials/key-changes.ts';
import { createKey, revokeAnyKey, updateKey } from '../../domain/credentials/manage-keys.ts';
import { RATE_LIMIT_FORM } from '../../domain/credentials/rate-limit.ts';
import type { Scope } from '../../domain/credentials/scope.ts';
import type { Environment } from '../../domain/environment.ts';
import { findWorkspace } from '../../domain/members/index.ts';
import { withStore } from '../context.ts';
import { accountOption, environmentOption, examples, jsonOption } from '../options.ts';
import { print } from '../output.ts';
import { printable } from '../printable.ts';
import {
  allowOption,
  changeAnyKey,
  changedAllowOption,
  EXAMPLE_KEY_ID,
  expiresOption,
  keyArgument,
  limitOption,
  namingOptions,
  noteOption,
  readLimit,
  readLimitOrDefault,
  scopeOption,
} from './key-options.ts';
import { keyToJson } from './key-output.ts';

/** The options that `create` and `update` share, as Commander names them. */
interface FieldOptions {
  name?: string;
  note?: string;
  allow?: string[];
  expires?: number | 'never';
  limit?: string;
}

interface CreateOptions extends FieldOptions {
  account: string;
  environment: Environment;
  name: string;
  scope: Scope[];
  json?: true;
}

export function createKeyCommand(): Command {
  return new Command('create')
    .description('Create an API key and show it once')
    .addOption(accountOption())
    .addOption(environmentOption().makeOptionMandatory())
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(scopeOption())
    .addOption(
      expiresOption(
        'when it stops working: a date (its beginning in UTC) or a time (in UTC unless it has an offset); never unless given',
      ),
    )
    .addOption(allowOption('addresses and networks it may be used from, separated by commas; anywhere unless given'))
    .addOption(noteOption())
    .addOption(limitOption(readLimit, 'the limit of all keys unless given'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'rollcall key create --account owner@keller.example --environment sandbox --name "my laptop"',
        'rollcall key create --account owner@keller.example --environment production --name billing --scope clients:read,clients:write --expires 2027-01-31 --allow 10.0.0.0/8,2001:db8::/32 --limit 500/s,1000',
      ),
    )
    .action((options: CreateOptions) =>
      withStore(async ({ store, clock }) => {
        const { environment, name, scope: scopes } = options;
        const workspaceId = await findWorkspace(store, options.account, environment);
        const request = { ...fieldsOf(options), environment, name, scopes };
        const { key, secret } = await namingOptions(() =>
          createKey({ ...store, clock }, { workspaceId, actor: OPERATOR }, request),
        );
        const text = `Created ${environment} API key ${key.id}. Its secret, which is shown only once:\n${secret}`;
        print(options.json, { ...keyToJson(key), api_key: secret }, text);
      }),
    );
}

export function updateKeyCommand(): Command {
  return new Command('update')
    .description('Change an API key; what is not given stays as it is')
    .addArgument(keyArgument())
    .option('--name <name>', 'what the key is for')
    .addOption(noteOption())
    .addOption(changedAllowOption('addresses and networks it may be used from, separated by commas; "" for anywhere'))
    .addOption(
      expiresOption(
        'when it stops working: a date (its beginning in UTC), a time (in UTC unless it has an offset), or never',
      ),
    )
    .addOption(limitOption(readLimitOrDefault, 'default for the limit that all keys have'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        `rollcall key update ${EXAMPLE_KEY_ID} --allow 10.0.0.0/8,192.0.2.7`,
        `rollcall key update ${EXAMPLE_KEY_ID} --expires never --note "nightly export of the finance team"`,
      ),
    )
    .action(async (keyId: string, options: FieldOptions & { json?: true }, command: Command) => {
      const fields = fieldsOf(options);
      if (Object.keys(fields).length === 0) {
        command.error('Say what to change: --name, --note, --allow, --expires or --limit.');
      }
      await withStore(async (context) => printUpdated(options.json, await update(context, keyId, fields)));
    });
}

export function limitKeyCommand(): Command {
  return new Command('limit')
    .description('Give an API key a rate limit of its own')
    .addArgument(keyArgument())
    .argument('<limit>', `${RATE_LIMIT_FORM}; default for the limit that all keys have`, readLimitOrDefault)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(`rollcall key limit ${EXAMPLE_KEY_ID} 500/s,1000`, `rollcall key limit ${EXAMPLE_KEY_ID} default`),
    )
    .action((keyId: string, limit: string, options: { json?: true }) =>
      withStore(async (context) => printUpdated(options.json, await update(context, keyId, fieldsOf({ limit })))),
    );
}

export function revokeKeyCommand(): Command {
  return new Command('revoke')
    .description('Revoke an API key; every access token issued for it stops working within a second')
    .addArgument(keyArgument())
    .addOption(jsonOption())
    .addHelpText('after', examples(`rollcall key revoke ${EXAMPLE_KEY_ID}`))
    .action((keyId: string, options: { json?: true }) =>
      withStore(async ({ store, clock }) => {
        const key = await revokeAnyKey({ ...store, clock }, OPERATOR, keyId);
        print(options.json, keyToJson(key), `Revoked ${nameOf(key)}.`);
      }),
    );
}

async function update(context: Parameters<typeof changeAnyKey>[0], keyId: string, fields: Partial<KeyFields>) {
  const { deps, by } = await changeAnyKey(context, keyId);
  return namingOptions(() => updateKey(deps, by, keyId, fields));
}

function printUpdated(asJson: true | undefined, key: ApiKey): void {
  print(asJson, keyToJson(key), `Updated ${nameOf(key)}. \`rollcall key show ${key.id}\` shows it.`);
}

export function nameOf(key: ApiKey): string {
  return `${key.environment} API key ${key.id} ("${printable(key.name)}")`;
}

function fieldsOf({ name, note, allow, expires, limit }: FieldOptions): Partial<KeyFields> {
  return {
    ...(name !== undefined && { name }),
    ...(note !== undefined && { note }),
    ...(allow !== undefined && { allowedNetworks: allow }),
    ...(expires !== undefined && { expiresAt: expires === 'never' ? null : expires }),
    ...(limit !== undefined && { rateLimit: limit === 'default' ? null : limit }),
  };
}
