import { isIPv6 } from 'node:net';
import { Command } from 'commander';
import type { Config } from '../../config.ts';
import { OPERATOR } from '../../domain/change.ts';
import { findAccount } from '../../domain/members/account.ts';
import { createResetLink } from '../../domain/members/reset-password.ts';
import { formatTime } from '../../domain/time.ts';
import { withStore } from '../context.ts';
import { examples, jsonOption } from '../options.ts';
import { print } from '../output.ts';

export function memberCommand(): Command {
  return new Command('member')
    .description('Manage members: the people who sign in to the dashboard')
    .addCommand(resetCommand())
    .addHelpText('after', examples('rollcall member reset owner@keller.example'));
}

const HELP = `
Give the link to the member, who sets a new password with it. Setting the password removes the second factor, signs the
member out in every browser, and is recorded in the activity log. The link works once and expires after an hour; a newer
link replaces it. Until it is used, the old password, the second factor and the sessions keep working. Somebody who is a
member of several accounts has a password in each: say with --account which one is meant.
${examples('rollcall member reset owner@keller.example')}`;

interface ResetOptions {
  account?: string;
  endSessions?: true;
  json?: true;
}

function resetCommand(): Command {
  return new Command('reset')
    .description('Print a one-time link for a member who has lost their password or second factor')
    .argument('<email>', 'the email that the member signs in with')
    .option('--account <account>', "the account, given by its owner's email or its id, if the member has several")
    .option('--end-sessions', 'sign the member out in every browser now, not only when the link is used')
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((email: string, options: ResetOptions) =>
      withStore(async ({ store, clock, config }) => {
        const { endSessions = false } = options;
        const account = options.account === undefined ? undefined : await findAccount(store, options.account);
        const request = { email: email.trim(), accountId: account?.id, endSessions };
        const { member, token, expiresAt } = await createResetLink({ ...store, clock }, OPERATOR, request);
        const address = dashboardAddress(config);
        // Browsers do not send what follows the `#`, so the token never reaches a log.
        const link = `${address}/reset#${token}`;
        const expires = formatTime(expiresAt);
        const lines = [
          ...(endSessions ? [`${member.email} has been signed out in every browser.`] : []),
          ...(address === ''
            ? [
                'Put the address of the dashboard in front of the link: it is not known here, because ROLLCALL_DASHBOARD_PORT is 0.',
              ]
            : []),
          `${member.email} can set a new password for account ${member.accountId} with this link, which works once, until ${expires}:`,
          '',
          link,
        ];
        const whose = { email: member.email, account_id: member.accountId };
        const data = { ...whose, link, expires_at: expires, sessions_ended: endSessions };
        print(options.json, data, lines.join('\n'));
      }),
    );
}

/** The address that the dashboard has with the same settings, or an empty string if it uses any free port. */
function dashboardAddress({ publicUrls, host, ports }: Config): string {
  if (publicUrls.dashboard) return publicUrls.dashboard;
  if (ports.dashboard === 0) return '';
  if (['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)) return `http://localhost:${ports.dashboard}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${ports.dashboard}`;
}
