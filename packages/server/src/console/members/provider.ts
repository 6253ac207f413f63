import type { Logger } from 'pino';
import { Failure, isFailure } from '../../domain/failure.ts';
import type { IdentityProvider } from '../../domain/members/identity.ts';
import {
  accountsToChoose,
  askProvider,
  chooseAccount,
  completeSignIn,
  type IdentitySignIn,
  type IdentitySignInDeps,
  signInWithIdentity,
} from '../../domain/members/identity-sign-in.ts';
import { readNote, signNote } from '../../domain/members/signed-note.ts';
import { type Answer, emptyAnswer } from '../../http/answer.ts';
import { NoData } from '../contract/fields.ts';
import { ProviderAccountForm, ProviderAccounts, ProviderCodeForm, SignInAnswer } from '../contract/members/session.ts';
import { type ConsoleRoute, openRoute, pageRoute, type VisitorFields } from '../define-route.ts';
import type { Cookies } from './cookie.ts';
import { type Addresses, toAccountChoice } from './session.ts';

export interface ProviderDeps extends IdentitySignInDeps {
  provider?: IdentityProvider | undefined;
  addresses: Addresses & { dashboard?: string };
  cookies: Cookies;
  logger: Logger;
}

const CALLBACK = '/console/provider/callback';

/** How long somebody may take at the service. Without a signature, anybody could make us ask the service about made-up answers. */
const MEMO = 'memos for the sign-in service';
const MEMO_MS = 600_000;

/** Signing in through the sign-in service of the firm. The browser goes there and comes back with an answer. */
export const providerRoutes = (deps: ProviderDeps): ConsoleRoute[] => [
  pageRoute({
    path: '/console/provider',
    handle: async ({ extraHeaders, request }) => {
      const { provider, redirectUrl } = required(deps);
      // A link on another site must not sign anybody in. Older browsers do not say where a request comes from.
      if (request.headers['sec-fetch-site'] === 'cross-site') return redirect('/sign-in');
      try {
        const { url, memo } = await provider.begin(redirectUrl);
        const note = await signNote(deps, MEMO, memo, MEMO_MS);
        extraHeaders.push('Set-Cookie', deps.cookies.provider.toHeader(note));
        return redirect(url);
      } catch (error) {
        deps.logger.error({ err: error }, 'the sign-in service cannot be used');
        return redirect('/sign-in?problem=provider');
      }
    },
  }),

  pageRoute({
    path: CALLBACK,
    handle: async (context) => {
      const { origin, request, extraHeaders, signIn } = context;
      const { provider, redirectUrl } = required(deps);
      const memo = await readNote(deps, MEMO, deps.cookies.provider.read(request.headers.cookie));
      extraHeaders.push('Set-Cookie', deps.cookies.provider.toHeader(undefined));
      try {
        const query = request.url?.split('?')[1] ?? '';
        if (memo === undefined) return redirect('/sign-in?problem=provider');
        const ask = () => provider.finish(redirectUrl, query, memo);
        const identity = await askProvider(deps, ask, origin.address);
        if (!identity) return redirect('/sign-in?problem=provider');
        const result = await signInWithIdentity(deps, identity, origin);
        await keep(deps, result, { signIn, extraHeaders });
        return redirect(NEXT_PAGE[result.kind]);
      } catch (error) {
        if (isFailure(error, 'not_signed_in')) return redirect('/sign-in?problem=unknown');
        if (isFailure(error, 'rate_limited')) return redirect('/sign-in?problem=wait');
        if (isFailure(error)) throw error;
        deps.logger.error({ err: error }, 'the sign-in service cannot be used');
        return redirect('/sign-in?problem=provider');
      }
    },
  }),

  openRoute({
    methods: ['POST'],
    path: '/console/session/provider',
    body: ProviderCodeForm,
    data: NoData,
    handle: async ({ body, origin, request, extraHeaders, signIn }) => {
      const pending = deps.cookies.pending.read(request.headers.cookie);
      const { token, member } = await completeSignIn(deps, pending, body.code, origin);
      extraHeaders.push('Set-Cookie', deps.cookies.pending.toHeader(undefined));
      await signIn(token, member);
      return null;
    },
  }),

  openRoute({
    methods: ['GET'],
    path: '/console/provider/accounts',
    data: ProviderAccounts,
    handle: async ({ request }) => {
      const accounts = await accountsToChoose(deps, deps.cookies.pending.read(request.headers.cookie));
      return { accounts: accounts.map(toAccountChoice) };
    },
  }),

  openRoute({
    methods: ['POST'],
    path: '/console/provider/account',
    body: ProviderAccountForm,
    data: SignInAnswer,
    handle: async ({ body, origin, request, extraHeaders, signIn }) => {
      const choice = deps.cookies.pending.read(request.headers.cookie);
      const result = await chooseAccount(deps, choice, body.account_id, origin);
      await keep(deps, result, { signIn, extraHeaders });
      return { signed_in: result.kind === 'signed-in' };
    },
  }),
];

const NEXT_PAGE: Record<IdentitySignIn['kind'], string> = {
  'signed-in': '/',
  'code-needed': '/sign-in?step=code',
  'several-accounts': '/sign-in?step=account',
};

/** Gives the browser the session, or a note for the next step. */
async function keep(
  { cookies }: ProviderDeps,
  result: IdentitySignIn,
  { signIn, extraHeaders }: Pick<VisitorFields, 'signIn'> & { extraHeaders: string[] },
): Promise<void> {
  if (result.kind === 'signed-in') {
    extraHeaders.push('Set-Cookie', cookies.pending.toHeader(undefined));
    return signIn(result.token, result.member);
  }
  const note = result.kind === 'code-needed' ? result.pending : result.choice;
  extraHeaders.push('Set-Cookie', cookies.pending.toHeader(note));
}

function required({ provider, addresses }: ProviderDeps): { provider: IdentityProvider; redirectUrl: string } {
  if (!provider || !addresses.dashboard) throw new Failure('not_found', 'Not found.');
  return { provider, redirectUrl: addresses.dashboard + CALLBACK };
}

function redirect(url: string): Answer {
  return emptyAnswer(302, ['Location', url, 'Content-Length', '0']);
}
