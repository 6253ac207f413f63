import { text } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import { type Account, createAccount, findAccount } from '../../domain/members/account.ts';
import { textOf, updateAccount } from '../../domain/members/update-account.ts';
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
    .requiredOption('--email <email>', "the owner's email")
    .option('--password-stdin', "read the owner's password from stdin instead of generating one")
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall account create --name "Keller & Sons" --email owner@keller.example'))
    .action((options: { name: string; email: string; passwordStdin?: true; json?: true }) =>
      withStoreOrCreate(async ({ store, clock }) => {
        const chosen = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined;
        const request = { name: options.name, email: options.email, password: chosen };
        const { account, password } = await createAccount({ ...store, clock }, OPERATOR, request);
        const generated = chosen === undefined ? { password } : {};
        const lines = [
          `Created account "${account.name}" with the owner ${account.ownerEmail}. Its id is ${account.id}.`,
        ];
        if (chosen === undefined) lines.push(`The owner's password, which is shown only once: ${password}`);
        print(options.json, { ...toJson(account), ...generated }, lines.join('\n'));
      }),
    );
}

function updateCommand(): Command {
  return new Command('update')
    .description('Change the settings of an account')
    .addOption(accountOption())
    .addOption(answerOption('--require-decline-reason', 'whether a client may only be declined with a reason'))
    .addOption(answerOption('--require-second-factor', 'whether all members need a second factor'))
    .addOption(answerOption('--viewers-may-export', 'whether viewers may export clients'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples('rollcall account update --account owner@keller.example --require-decline-reason yes'),
    )
    .action((options: { account: string; json?: true } & SettingsOptions, command: Command) => {
      const given = {
        requiresDeclineReason: isYes(options.requireDeclineReason),
        requiresSecondFactor: isYes(options.requireSecondFactor),
        viewersMayExport: isYes(options.viewersMayExport),
      };
      const names = (Object.keys(given) as (keyof typeof given)[]).filter((name) => given[name] !== undefined);
      if (names.length === 0)
        command.error('Say what to change: --require-decline-reason, --require-second-factor or --viewers-may-export.');
      return withStore(async ({ store, clock }) => {
        const account = await findAccount(store, options.account);
        const settings = await updateAccount({ ...store, clock }, { accountId: account.id, actor: OPERATOR }, given);
        const text = `For "${account.name}", ${names.map((name) => textOf(name, settings)).join(', and ')}.`;
        print(options.json, toJson({ ...account, settings }), text);
      });
    });
}

type Answer = 'yes' | 'no';

interface SettingsOptions {
  requireDeclineReason?: Answer;
  requireSecondFactor?: Answer;
  viewersMayExport?: Answer;
}

function answerOption(flag: string, description: string): Option {
  return new Option(`${flag} <answer>`, description).choices(['yes', 'no']);
}

function isYes(answer: Answer | undefined): boolean | undefined {
  return answer && answer === 'yes';
}

function listCommand(): Command {
  return new Command('list')
    .description('List all accounts')
    .addOption(jsonOption())
    .addHelpText('after', examples('rollcall account list'))
    .action((options: { json?: true }) =>
      withStore(async ({ store }) => {
        const accounts = await store.accounts.list();
        const rows = accounts.map(({ id, ownerEmail, name, createdAt }) => [
          String(id),
          ownerEmail,
          name,
          formatTime(createdAt),
        ]);
        const empty = 'There are no accounts yet. Create one with `rollcall account create`.';
        print(
          options.json,
          accounts.map(toJson),
          rows.length ? formatTable(['ID', 'OWNER', 'NAME', 'CREATED'], rows) : empty,
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
    requires_second_factor: account.settings.requiresSecondFactor,
    viewers_may_export: account.settings.viewersMayExport,
  };
}
