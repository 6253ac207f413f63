import { type ResetPasswordDeps, readResetLink, resetPassword } from '../../domain/members/reset-password.ts';
import { Nothing } from '../contract/fields.ts';
import { ReadResetForm, ResetPasswordForm, ResetPreview } from '../contract/members/reset.ts';
import { openRoute, type Route } from '../route.ts';

/** The link itself is made at the command line only: nobody in the dashboard can ask for somebody else's. */
export const resetRoutes = (deps: ResetPasswordDeps): Route[] => [
  openRoute({
    method: 'POST',
    path: '/console/reset',
    body: ReadResetForm,
    data: ResetPreview,
    handle: async ({ body }) => {
      const { email, accountName } = await readResetLink(deps, body.token);
      return { email, account_name: accountName };
    },
  }),

  openRoute({
    method: 'POST',
    path: '/console/reset/password',
    body: ResetPasswordForm,
    data: Nothing,
    handle: async ({ body, origin, setSession }) => {
      setSession(await resetPassword(deps, body, origin));
      return null;
    },
  }),
];
