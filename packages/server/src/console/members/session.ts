import type { Environment } from '../../domain/environment.ts';
import { type SetUpDeps, setUp } from '../../domain/members/set-up.ts';
import { reauthenticate, type SignInDeps, signIn, signOut, startSession } from '../../domain/members/sign-in.ts';
import { Nothing } from '../contract/fields.ts';
import { ProofForm, SessionRecord, SetUpForm, SignInAnswer, SignInForm } from '../contract/members/session.ts';
import { accountRoute, openRoute, type Route } from '../route.ts';

/** Where each environment's API answers; filled in as the listeners come up. */
export type Addresses = Readonly<Partial<Record<Environment, string>>>;

export const sessionRoutes = (deps: SignInDeps & SetUpDeps & { addresses: Addresses }): Route[] => [
  openRoute({
    method: 'POST',
    path: '/console/session',
    body: SignInForm,
    data: SignInAnswer,
    handle: async ({ body, origin, setSession }) => {
      const token = await signIn(deps, body, origin);
      if (token !== undefined) setSession(token);
      return { signed_in: token !== undefined };
    },
  }),

  openRoute({
    method: 'POST',
    path: '/console/set-up',
    body: SetUpForm,
    data: Nothing,
    handle: async ({ body, origin, setSession }) => {
      const owner = await setUp(deps, body, origin.address);
      setSession(await startSession(deps, owner, origin));
      return null;
    },
  }),

  accountRoute({
    method: 'GET',
    path: '/console/session',
    role: 'viewer',
    data: SessionRecord,
    handle: async ({ session }) => ({
      email: session.email,
      role: session.role,
      account_name: session.accountName,
      addresses: { production: deps.addresses.production ?? null, sandbox: deps.addresses.sandbox ?? null },
    }),
  }),

  accountRoute({
    method: 'DELETE',
    path: '/console/session',
    role: 'viewer',
    data: Nothing,
    handle: async ({ session, actor, setSession }) => {
      await signOut(deps, session, actor);
      setSession(undefined);
      return null;
    },
  }),

  accountRoute({
    method: 'POST',
    path: '/console/session/proof',
    role: 'viewer',
    body: ProofForm,
    data: Nothing,
    handle: async ({ session, actor, body }) => {
      await reauthenticate(deps, session, actor, body.password);
      return null;
    },
  }),
];
