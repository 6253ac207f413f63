import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import { type Account, createAccount } from '../../domain/members/account.ts';
import { withStore, withStoreOrNew } from '../context.ts';
import { jsonOption } from '../options.ts';
import { print, table, timeText } from '../output.ts';

export function accountCommand(): Command {
  return new Command('account')
    .description('Accounts: the firms that use this installation')
    .addCommand(createCommand())
    .addCommand(listCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('Create an account and its owner')
    .requiredOption('--name <name>', 'the name of the firm')
    .requiredOption('--email <email>', "the owner's email, which also names the account in other commands")
    .option('--password-stdin', "read the owner's password from stdin instead of making one up")
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  $ rollcall account create --name "Keller & Sons" --email owner@keller.example')
    .action((options: { name: string; email: string; passwordStdin?: true; json?: true }) =>
      withStoreOrNew(async ({ store, clock }) => {
        const given = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined;
        const request = { name: options.name, email: options.email, password: given };
        const { account, password } = await createAccount({ ...store, clock }, OPERATOR, request);
        const made = given === undefined ? { password } : {};
        const lines = [`Created account "${account.name}" with the owner ${account.ownerEmail}.`];
        if (given === undefined) lines.push(`The owner's password, shown only now: ${password}`);
        print(options.json, { ...toJson(account), ...made }, lines.join('\n'));
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('List all accounts')
    .addOption(jsonOption())
    .action((options: { json?: true }) =>
      withStore(async ({ store }) => {
        const accounts = await store.accounts.list();
        const rows = accounts.map((account) => [account.ownerEmail, account.name, timeText(account.createdAt)]);
        const empty = 'No accounts yet. Create one with `rollcall account create`.';
        print(options.json, accounts.map(toJson), rows.length ? table(['OWNER', 'NAME', 'CREATED'], rows) : empty);
      }),
    );
}

function toJson(account: Account) {
  return {
    account_id: account.id,
    name: account.name,
    email: account.ownerEmail,
    created_at: timeText(account.createdAt),
  };
}
