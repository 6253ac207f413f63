import { askForNewPassword, type ForgottenPasswordDeps } from '../../domain/members/forgotten-password.ts';
import { type ResetPasswordDeps, readResetLink, resetPassword } from '../../domain/members/reset-password.ts';
import { NoData } from '../contract/fields.ts';
import { ForgottenPasswordForm, ReadResetForm, ResetPasswordForm, ResetPreview } from '../contract/members/reset.ts';
import { SignInAnswer } from '../contract/members/session.ts';
import { type ConsoleRoute, openRoute } from '../define-route.ts';

/** A link is printed on the command line, or mailed to the member, so that no member can get one for another. */
export const resetRoutes = (deps: ResetPasswordDeps & ForgottenPasswordDeps): ConsoleRoute[] => [
  openRoute({
    methods: ['POST'],
    path: '/console/forgotten-password',
    body: ForgottenPasswordForm,
    data: NoData,
    handle: async ({ body, origin }) => {
      await askForNewPassword(deps, body, origin.address);
      return null;
    },
  }),

  openRoute({
    methods: ['POST'],
    path: '/console/reset',
    body: ReadResetForm,
    data: ResetPreview,
    handle: async ({ body }) => {
      const { email, accountName, removesSecondFactor } = await readResetLink(deps, body.token);
      return { email, account_name: accountName, removes_second_factor: removesSecondFactor };
    },
  }),

  openRoute({
    methods: ['POST'],
    path: '/console/reset/password',
    body: ResetPasswordForm,
    data: SignInAnswer,
    handle: async ({ body, origin, signIn }) => {
      const opened = await resetPassword(deps, body, origin);
      if (opened) await signIn(opened.token, opened.member);
      return { signed_in: opened !== undefined };
    },
  }),
];
