import { ENVIRONMENTS, type Environment } from '../domain/environment.ts';
import { Failure, isFailure } from '../domain/failure.ts';
import {
  type Accounts,
  type ActingMember,
  type DenialDeps,
  endFormerSession,
  findSession,
  type KnownDevices,
  type MemberWrites,
  requireMayExport,
  requireRecentProof,
  requireRole,
  requireSecondFactor,
  type SignedInSession,
  type StartSessionDeps,
} from '../domain/members/index.ts';
import type { RequestContext } from '../http/request-context.ts';
import { ACCOUNT_HEADER } from './contract/members/index.ts';
import type { ConsoleRoute, MemberAccess, MemberFields, VisitorFields, WorkspaceFields } from './define-route.ts';
import type { Cookies } from './members/index.ts';

export interface AuthoriseDeps extends StartSessionDeps, Pick<DenialDeps, 'denials'> {
  accounts: Accounts;
  cookies: Cookies;
  knownDevices: KnownDevices;
  memberWrites: MemberWrites;
}

const READING_METHODS = ['GET', 'HEAD'];

/** Lets our own pages, and no others, load the file or the message of a refusal into a hidden frame. */
const OWN_FRAME_HEADERS = [
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'self'"],
  ...['X-Frame-Options', 'SAMEORIGIN'],
];

/** Finds out who calls, by the session cookie, and refuses what their role does not allow. */
export async function authorise(
  deps: AuthoriseDeps,
  context: RequestContext,
  { access, path }: ConsoleRoute,
): Promise<VisitorFields | MemberFields | WorkspaceFields> {
  const visitor = visitorFields(deps, context);
  if (access === 'anyone') return visitor;
  if (access.file) context.extraHeaders.push(...OWN_FRAME_HEADERS);
  const member = { ...visitor, ...(await memberFields(deps, context, access, path)) };
  return access.scope === 'account' ? member : { ...member, ...(await workspaceFields(deps, context, member.actor)) };
}

function visitorFields(
  deps: AuthoriseDeps,
  { address, requestId, request, extraHeaders }: RequestContext,
): VisitorFields {
  const { cookies, knownDevices } = deps;
  const { cookie, 'user-agent': agent = '' } = request.headers;
  const deviceNote = cookies.device.read(cookie);
  const setSession = (token: string | undefined) =>
    void extraHeaders.push('Set-Cookie', cookies.session.toHeader(token));
  return {
    origin: { address, requestId, agent, deviceNote },
    findSession: () => sessionOrNobody(deps, request.headers),
    signIn: async (token, member) => {
      setSession(token);
      await ignoringFailures(endFormerSession(deps, cookies.session.read(cookie), address));
      // Without a note, the next sign-in is counted like that of any other browser.
      const note = await ignoringFailures(knownDevices.remember(deviceNote, member));
      if (note !== undefined) extraHeaders.push('Set-Cookie', cookies.device.toHeader(note));
    },
    setSession,
  };
}

/** The sign-in has succeeded, whatever cannot be done beside it. */
async function ignoringFailures<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return undefined;
  }
}

async function sessionOrNobody(
  deps: AuthoriseDeps,
  headers: RequestContext['request']['headers'],
): Promise<SignedInSession | undefined> {
  try {
    const session = await findSession(deps, deps.cookies.session.read(headers.cookie));
    requireSameAccount(headers[ACCOUNT_HEADER], session.accountId);
    return session;
  } catch (error) {
    if (isFailure(error, 'not_signed_in')) return undefined;
    throw error;
  }
}

async function memberFields(
  deps: AuthoriseDeps,
  { address, requestId, request, method }: RequestContext,
  { role, proofTo, file, withoutSecondFactor }: MemberAccess,
  path: string,
): Promise<Omit<MemberFields, keyof VisitorFields>> {
  const session = await findSession(deps, deps.cookies.session.read(request.headers.cookie));
  const { accountId, memberId, email } = session;
  requireSameAccount(request.headers[ACCOUNT_HEADER], accountId);
  const actor: ActingMember = {
    accountId,
    memberId,
    name: email,
    role: session.role,
    address,
    requestId,
    sessionId: session.id,
  };
  if (!withoutSecondFactor) requireSecondFactor(session);
  await requireRole(deps, actor, role, `${method} ${path}`);
  if (file) await requireMayExport(deps, session, actor, `${method} ${path}`);
  if (role === 'viewer' && !READING_METHODS.includes(method)) deps.memberWrites.count(actor, deps.clock.now());
  if (proofTo !== undefined) requireRecentProof(session, deps.clock.now(), proofTo);
  return { session, actor };
}

/** A page that was loaded before its member changed to another account in another tab must not go on there. */
function requireSameAccount(ofPage: string | string[] | undefined, accountId: number): void {
  if (ofPage === undefined || ofPage === String(accountId)) return;
  throw new Failure('changed_meanwhile', 'You have changed to another account in another tab. Load the page again.');
}

/** The workspace that the address names, which is always one of the member's own account. */
async function workspaceFields(
  { accounts }: AuthoriseDeps,
  { parameter }: RequestContext,
  { accountId }: ActingMember,
): Promise<{ environment: Environment; workspaceId: number }> {
  const environment = parameter('environment');
  if (!isEnvironment(environment)) throw new Failure('not_found', 'Not found.');
  return { environment, workspaceId: await accounts.workspaceId(accountId, environment) };
}

function isEnvironment(text: string): text is Environment {
  return (ENVIRONMENTS as readonly string[]).includes(text);
}
