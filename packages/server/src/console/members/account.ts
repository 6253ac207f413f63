import type { Accounts } from '../../domain/members/account.ts';
import { type UpdateAccountDeps, updateAccount } from '../../domain/members/update-account.ts';
import { NoData } from '../contract/fields.ts';
import { AccountForm } from '../contract/members/account.ts';
import { accountRoute, type ConsoleRoute } from '../define-route.ts';

export const accountRoutes = (deps: { accounts: Accounts } & UpdateAccountDeps): ConsoleRoute[] => [
  accountRoute({
    methods: ['GET'],
    path: '/console/account',
    role: 'viewer',
    data: AccountForm,
    handle: async ({ actor }) => {
      const { requiresDeclineReason } = await deps.accounts.settings(actor.accountId);
      return { requires_decline_reason: requiresDeclineReason };
    },
  }),

  accountRoute({
    methods: ['PATCH'],
    path: '/console/account',
    role: 'owner',
    body: AccountForm,
    data: NoData,
    handle: async ({ actor, body }) => {
      const settings = { requiresDeclineReason: body.requires_decline_reason };
      await updateAccount(deps, { accountId: actor.accountId, actor }, settings);
      return null;
    },
  }),
];
