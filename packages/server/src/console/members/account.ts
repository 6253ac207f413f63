import { type UpdateAccountDeps, updateAccount } from '../../domain/members/update-account.ts';
import { NoData } from '../contract/fields.ts';
import { AccountForm, AccountRecord } from '../contract/members/account.ts';
import { accountRoute, type ConsoleRoute } from '../define-route.ts';

export const accountRoutes = (deps: UpdateAccountDeps): ConsoleRoute[] => [
  accountRoute({
    methods: ['GET'],
    path: '/console/account',
    role: 'viewer',
    data: AccountRecord,
    handle: async ({ session: { settings } }) => ({
      requires_decline_reason: settings.requiresDeclineReason,
      requires_second_factor: settings.requiresSecondFactor,
      viewers_may_export: settings.viewersMayExport,
    }),
  }),

  accountRoute({
    methods: ['PATCH'],
    path: '/console/account',
    role: 'owner',
    proofTo: 'change the settings of the account',
    body: AccountForm,
    data: NoData,
    handle: async ({ actor, body }) => {
      await updateAccount(
        deps,
        { accountId: actor.accountId, actor },
        {
          requiresDeclineReason: body.requires_decline_reason,
          requiresSecondFactor: body.requires_second_factor,
          viewersMayExport: body.viewers_may_export,
        },
      );
      return null;
    },
  }),
];
