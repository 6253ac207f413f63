import type { Environment } from '../../domain/environment.ts';
import type { Accounts } from '../../domain/members/account.ts';
import type { IdentityProvider } from '../../domain/members/identity.ts';
import { type PasskeySignInDeps, proveWithPasskey } from '../../domain/members/passkey-sign-in.ts';
import { lacksSecondFactor, mayExport, type SignedInSession } from '../../domain/members/session.ts';
import { type SetUpDeps, setUp } from '../../domain/members/set-up.ts';
import { reauthenticate, signIn, signOut, startSession } from '../../domain/members/sign-in.ts';
import { NoData } from '../contract/fields.ts';
import {
  type AccountChoice,
  ProofForm,
  SessionRecord,
  SetUpForm,
  SetUpState,
  SignInAnswer,
  SignInForm,
  VisitorRecord,
} from '../contract/members/session.ts';
import { accountRoute, type ConsoleRoute, openRoute } from '../define-route.ts';
import { toAnswer } from './passkeys.ts';
import { relyingParty } from './relying-party.ts';

/** The address of each environment's API, filled in when its listener has started. */
export type Addresses = Readonly<Partial<Record<Environment, string>>>;

export const sessionRoutes = (
  deps: PasskeySignInDeps &
    SetUpDeps & {
      accounts: Accounts;
      addresses: Addresses;
      publicUrl: string | undefined;
      provider?: IdentityProvider | undefined;
    },
): ConsoleRoute[] => [
  openRoute({
    methods: ['POST'],
    path: '/console/session',
    body: SignInForm,
    data: SignInAnswer,
    handle: async (context) => {
      const { account_id: accountId, ...request } = context.body;
      const result = await signIn(deps, { ...request, accountId }, context.origin);
      if (result.kind === 'signed-in') await context.signIn(result.token, result.member);
      if (result.kind !== 'several-accounts') return { signed_in: result.kind === 'signed-in' };
      return { signed_in: false, accounts: result.accounts.map(toAccountChoice) };
    },
  }),

  openRoute({
    methods: ['GET'],
    path: '/console/set-up',
    data: SetUpState,
    handle: async () => ({
      is_needed: !(await deps.accounts.exist()),
      sends_mail: deps.sendsMail ?? false,
      provider: deps.provider?.name ?? null,
    }),
  }),

  openRoute({
    methods: ['POST'],
    path: '/console/set-up',
    body: SetUpForm,
    data: NoData,
    handle: async (context) => {
      const { body, origin } = context;
      const owner = await setUp(deps, body, origin.address);
      const token = await startSession(deps, owner, origin);
      if (token !== undefined) await context.signIn(token, owner);
      return null;
    },
  }),

  accountRoute({
    methods: ['GET'],
    path: '/console/session',
    role: 'viewer',
    withoutSecondFactor: true,
    data: SessionRecord,
    handle: async ({ session }) => toRecord(session, deps.addresses),
  }),

  // The same for a page that does not know yet whether somebody is signed in: browsers log every 401 as an error.
  openRoute({
    methods: ['GET'],
    path: '/console/visitor',
    data: VisitorRecord,
    handle: async ({ findSession }) => {
      const session = await findSession();
      return { session: session ? toRecord(session, deps.addresses) : null };
    },
  }),

  accountRoute({
    methods: ['DELETE'],
    path: '/console/session',
    role: 'viewer',
    withoutSecondFactor: true,
    data: NoData,
    handle: async (context) => {
      await signOut(deps, context.session, context.actor);
      context.setSession(undefined);
      return null;
    },
  }),

  accountRoute({
    methods: ['POST'],
    path: '/console/session/proof',
    role: 'viewer',
    withoutSecondFactor: true,
    body: ProofForm,
    data: NoData,
    handle: async (context) => {
      const { session, actor, body } = context;
      const token = body.passkey
        ? await proveWithPasskey(
            deps,
            relyingParty(context.request, deps.publicUrl),
            session,
            actor,
            toAnswer(body.passkey),
          )
        : await reauthenticate(deps, session, actor, body);
      if (token !== undefined) context.setSession(token);
      return null;
    },
  }),
];

function toRecord(session: SignedInSession, addresses: Addresses): SessionRecord {
  return {
    member_id: session.memberId,
    email: session.email,
    role: session.role,
    account_id: session.accountId,
    account_name: session.accountName,
    has_second_factor: session.hasSecondFactor,
    has_passkey: session.hasPasskey,
    must_add_second_factor: lacksSecondFactor(session),
    may_export: mayExport(session),
    requires_decline_reason: session.settings.requiresDeclineReason,
    addresses: { production: addresses.production ?? null, sandbox: addresses.sandbox ?? null },
  };
}

export function toAccountChoice({ id, name }: { id: number; name: string }): AccountChoice {
  return { account_id: id, name };
}
