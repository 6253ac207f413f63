import { isIPv6 } from 'node:net';
import { Command } from 'commander';
import type { Config } from '../../config.ts';
import { OPERATOR } from '../../domain/change.ts';
import { createResetLink } from '../../domain/members/reset-password.ts';
import { withStore } from '../context.ts';
import { jsonOption } from '../options.ts';
import { print, timeText } from '../output.ts';

export function memberCommand(): Command {
  return new Command('member')
    .description('Members: the people who sign in to the dashboard')
    .addCommand(resetCommand());
}

const HELP = `
Whoever opens the link sets a new password. That removes the second factor, signs every browser of the member out, and
is on record. The link works once and for an hour; a newer one ends it. Until it is used, the old password, the second
factor and the sessions stay as they are. An email belongs to one account only, so no account has to be named.

Example:
  $ rollcall member reset owner@keller.example`;

interface ResetOptions {
  endSessions?: true;
  json?: true;
}

function resetCommand(): Command {
  return new Command('reset')
    .description('Print a one-time link for a member who has lost their password or second factor')
    .argument('<email>', 'by which the member signs in')
    .option('--end-sessions', 'sign every browser of the member out now, and not only when the link is used')
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((email: string, options: ResetOptions) =>
      withStore(async ({ store, clock, config }) => {
        const { endSessions = false } = options;
        const request = { email: email.trim(), endSessions };
        const { member, token, expiresAt } = await createResetLink({ ...store, clock }, OPERATOR, request);
        const address = dashboardAddress(config);
        // The token stands after the `#`, which browsers never send: no log on the way can hold it.
        const link = `${address}/reset#${token}`;
        const expires = timeText(expiresAt);
        const lines = [
          ...(endSessions ? [`Every browser of ${member.email} has been signed out.`] : []),
          ...(address === ''
            ? [
                'Put the address of the dashboard in front of the link: ROLLCALL_DASHBOARD_PORT is 0, so it is not known here.',
              ]
            : []),
          `With this link ${member.email} can set a new password, once, until ${expires}:`,
          '',
          link,
        ];
        const data = { email: member.email, link, expires_at: expires, sessions_ended: endSessions };
        print(options.json, data, lines.join('\n'));
      }),
    );
}

/** Where the service has its dashboard by the same settings; empty when it takes any port that is free. */
function dashboardAddress({ publicUrls, host, ports }: Config): string {
  if (publicUrls.dashboard) return publicUrls.dashboard;
  if (ports.dashboard === 0) return '';
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${ports.dashboard}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${ports.dashboard}`;
}
