import {
  changePassword,
  confirmSecondFactor,
  type ManageProfileDeps,
  offerSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  revokeSession,
} from '../../domain/members/manage-profile.ts';
import type { Passkeys } from '../../domain/members/passkey.ts';
import { secondFactorLink } from '../../domain/members/second-factor.ts';
import { listSessions } from '../../domain/members/session.ts';
import { NoData } from '../contract/fields.ts';
import {
  ChangePasswordForm,
  ConfirmSecondFactorForm,
  ProfileRecord,
  RecoveryCodes,
  RemoveSecondFactorForm,
  SecondFactorOffer,
} from '../contract/members/profile.ts';
import { accountRoute, type ConsoleRoute } from '../define-route.ts';
import { toPasskeyRecord } from './passkeys.ts';
import { toBrowser } from './to-browser.ts';

export const profileRoutes = (deps: ManageProfileDeps & { passkeys: Passkeys }): ConsoleRoute[] => [
  accountRoute({
    methods: ['GET'],
    path: '/console/profile',
    role: 'viewer',
    withoutSecondFactor: true,
    data: ProfileRecord,
    handle: async ({ session, actor }) => {
      const [credentials, passkeys, recoveryCodesLeft, sessions] = await Promise.all([
        deps.credentials.byId(actor.accountId, actor.memberId),
        deps.passkeys.list(actor.accountId, actor.memberId),
        deps.profiles.countRecoveryCodes(actor.accountId, actor.memberId),
        listSessions(deps, actor),
      ]);
      return {
        has_app: credentials?.secondFactor != null,
        has_second_factor: credentials?.member.hasSecondFactor ?? false,
        passkeys: passkeys.map(toPasskeyRecord),
        recovery_codes_left: recoveryCodesLeft,
        sessions: sessions.map((each) => toBrowser(each, session.id)),
      };
    },
  }),

  accountRoute({
    methods: ['DELETE'],
    path: '/console/profile/sessions/:sessionId',
    role: 'viewer',
    proofTo: 'sign this browser out',
    data: NoData,
    handle: async ({ actor, parameter }) => {
      await revokeSession(deps, actor, parameter('sessionId'));
      return null;
    },
  }),

  accountRoute({
    methods: ['PUT'],
    path: '/console/profile/password',
    role: 'viewer',
    body: ChangePasswordForm,
    data: NoData,
    handle: async (context) => {
      const { session, actor, body } = context;
      const { password, new_password: newPassword } = body;
      const token = await changePassword(deps, session, actor, { password, newPassword });
      if (token !== undefined) context.setSession(token);
      return null;
    },
  }),

  accountRoute({
    methods: ['POST'],
    path: '/console/profile/second-factor',
    role: 'viewer',
    withoutSecondFactor: true,
    proofTo: 'add a second factor',
    data: SecondFactorOffer,
    handle: async ({ actor, session }) => {
      const { secret } = await offerSecondFactor(deps, actor);
      return { secret, link: secondFactorLink(secret, session) };
    },
  }),

  accountRoute({
    methods: ['PUT'],
    path: '/console/profile/second-factor',
    role: 'viewer',
    withoutSecondFactor: true,
    body: ConfirmSecondFactorForm,
    data: RecoveryCodes,
    handle: async (context) => {
      const { session, actor, body } = context;
      const { codes, token } = await confirmSecondFactor(deps, session, actor, body.code);
      if (token !== undefined) context.setSession(token);
      return { recovery_codes: codes };
    },
  }),

  accountRoute({
    methods: ['POST'],
    path: '/console/profile/recovery-codes',
    role: 'viewer',
    proofTo: 'make new recovery codes',
    data: RecoveryCodes,
    handle: async ({ actor }) => ({ recovery_codes: await renewRecoveryCodes(deps, actor) }),
  }),

  accountRoute({
    methods: ['POST'],
    path: '/console/profile/second-factor/removal',
    role: 'viewer',
    body: RemoveSecondFactorForm,
    data: NoData,
    handle: async ({ actor, body }) => {
      await removeSecondFactor(deps, actor, body);
      return null;
    },
  }),
];
