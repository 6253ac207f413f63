import { text } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import { type Account, createAccount, findAccount } from '../../domain/members/account.ts';
import { updateAccount } from '../../domain/members/update-account.ts';
import { formatTime } from '../../domain/time.ts';
import { withStore, withStoreOrCreate } from '../context.ts';
import { accountOption, examples, jsonOption } from '../options.ts';
import { formatTable, print } from '../output.ts';

export function accountCommand(): Command {
  return new Command('account')
    .description('Manage accounts: the firms that use this installation')
    .addCommand(createCommand())
    .addCommand(updateCommand())
    .addCommand(listCommand())
    .addHelpText('after', examples('rollcall account list'));
}

function createCommand(): Command {
  return new Command('create')
    .description('Create an account and its owner')
    .requiredOption('--name <name>', 'the name of the firm')
    .requiredOption('--email <email>', "the owner's email, which other commands use to name the account")
    .option('--password-stdin', "read the owner's password from stdin instead of generating one")
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall account create --name "Keller & Sons" --email owner@keller.example'))
    .action((options: { name: string; email: string; passwordStdin?: true; json?: true }) =>
      withStoreOrCreate(async ({ store, clock }) => {
        const chosen = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined;
        const request = { name: options.name, email: options.email, password: chosen };
        const { account, password } = await createAccount({ ...store, clock }, OPERATOR, request);
        const generated = chosen === undefined ? { password } : {};
        const lines = [`Created account "${account.name}" with the owner ${account.ownerEmail}.`];
        if (chosen === undefined) lines.push(`The owner's password, which is shown only once: ${password}`);
        print(options.json, { ...toJson(account), ...generated }, lines.join('\n'));
      }),
    );
}

function updateCommand(): Command {
  return new Command('update')
    .description('Change the settings of an account')
    .addOption(accountOption())
    .addOption(
      new Option('--require-decline-reason <answer>', 'whether a client may only be declined with a reason')
        .choices(['yes', 'no'])
        .makeOptionMandatory(),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples('rollcall account update --account owner@keller.example --require-decline-reason yes'),
    )
    .action((options: { account: string; requireDeclineReason: 'yes' | 'no'; json?: true }) =>
      withStore(async ({ store, clock }) => {
        const account = await findAccount(store, options.account);
        const settings = { requiresDeclineReason: options.requireDeclineReason === 'yes' };
        await updateAccount({ ...store, clock }, { accountId: account.id, actor: OPERATOR }, settings);
        const reason = settings.requiresDeclineReason ? 'A reason' : 'No reason';
        const text = `${reason} is required to decline a client of "${account.name}".`;
        print(options.json, toJson({ ...account, settings }), text);
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('List all accounts')
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall account list'))
    .action((options: { json?: true }) =>
      withStore(async ({ store }) => {
        const accounts = await store.accounts.list();
        const rows = accounts.map((account) => [account.ownerEmail, account.name, formatTime(account.createdAt)]);
        const empty = 'There are no accounts yet. Create one with `rollcall account create`.';
        print(
          options.json,
          accounts.map(toJson),
          rows.length ? formatTable(['OWNER', 'NAME', 'CREATED'], rows) : empty,
        );
      }),
    );
}

function toJson(account: Account) {
  return {
    account_id: account.id,
    name: account.name,
    email: account.ownerEmail,
    created_at: formatTime(account.createdAt),
    requires_decline_reason: account.settings.requiresDeclineReason,
  };
}
