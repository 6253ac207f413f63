import { type ResetPasswordDeps, readResetLink, resetPassword } from '../../domain/members/reset-password.ts';
import { NoData } from '../contract/fields.ts';
import { ReadResetForm, ResetPasswordForm, ResetPreview } from '../contract/members/reset.ts';
import { type ConsoleRoute, openRoute } from '../define-route.ts';

/** The link itself is created only on the command line, so that no member can request one for another member. */
export const resetRoutes = (deps: ResetPasswordDeps): ConsoleRoute[] => [
  openRoute({
    methods: ['POST'],
    path: '/console/reset',
    body: ReadResetForm,
    data: ResetPreview,
    handle: async ({ body }) => {
      const { email, accountName } = await readResetLink(deps, body.token);
      return { email, account_name: accountName };
    },
  }),

  openRoute({
    methods: ['POST'],
    path: '/console/reset/password',
    body: ResetPasswordForm,
    data: NoData,
    handle: async ({ body, origin, signIn }) => {
      const { token, email } = await resetPassword(deps, body, origin);
      await signIn(token, email);
      return null;
    },
  }),
];
