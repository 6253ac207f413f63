import { type AccountRecorder, type ChangeAccount, type RecordDeps, record } from '../change.ts';
import type { ConcurrencyLimit } from '../concurrency-limit.ts';
import { Failure } from '../failure.ts';
import type { InstallationSecrets } from '../installation-secrets.ts';
import { hashSecret } from '../secret.ts';
import { fold } from '../text.ts';
import { type CheckedPassword, type CountedMembers, checkPasswordOf, ignoringOutages } from './check-password.ts';
import type { Credentials, LockedCredentials, MemberCredentials, Membership } from './credentials.ts';
import { type CodeChanges, type EnteredCode, readCode, useCode, wrongCode } from './entered-code.ts';
import type { KnownDevices } from './known-devices.ts';
import { type MailChanges, type MailDeps, tellByMail } from './mail.ts';
import type { ActingMember, Member } from './member.ts';
import type { PasskeyChanges } from './passkey.ts';
import type { RefusedSignIns } from './refused-sign-ins.ts';
import {
  newSession,
  newSessionToken,
  type Origin,
  type SessionChanges,
  type SessionDeps,
  type SignedInSession,
} from './session.ts';
import {
  type Attempt,
  type SignInAttempts,
  sourcesOfCode,
  sourcesOfDevice,
  sourcesOfMember,
  sourcesOfOthers,
  sourcesOfVisitor,
} from './sign-in-attempts.ts';

export interface StartSessionDeps extends SessionDeps, RecordDeps, MailDeps {
  changeAccount: ChangeAccount<{
    sessions: SessionChanges;
    codes: CodeChanges;
    credentials: LockedCredentials;
    mails: MailChanges;
    passkeys: PasskeyChanges;
  }>;
}

export interface SignInDeps extends StartSessionDeps {
  credentials: MemberCredentials;
  secrets: InstallationSecrets;
  attempts: SignInAttempts;
  refusals: RefusedSignIns;
  knownDevices: KnownDevices;
  concurrencyLimit: ConcurrencyLimit;
}

export interface SignInRequest {
  email: string;
  password: string;
  code?: string | undefined;
  /** The account to sign in to, for somebody who has the same password in several. */
  accountId?: number | undefined;
}

/** What came of the right password: a session, the need for a one-time code, or accounts of which one is to be chosen. */
export type SignInResult =
  | { kind: 'signed-in'; token: string; member: Member }
  | { kind: 'code-needed' }
  | { kind: 'several-accounts'; accounts: { id: number; name: string }[] };

export async function signIn(deps: SignInDeps, request: SignInRequest, origin: Origin): Promise<SignInResult> {
  const { matching, attempt } = await checkMemberships(deps, request, origin);
  const [found, another] = matching;
  if (!found) throw invalidSignIn({ withCode: request.code !== undefined });
  if (another) {
    await ignoringOutages(attempt.forgiven());
    const accounts = matching.map(({ member, accountName }) => ({ id: member.accountId, name: accountName }));
    return { kind: 'several-accounts', accounts: accounts.sort((a, b) => a.id - b.id) };
  }
  const { member } = found;
  const token = member.hasSecondFactor
    ? await continueWithCode(deps, found, attempt, request.code, origin)
    : await startSession(deps, member, origin, {
        checked: found,
        isNewDevice: await isNewDevice(deps, member, origin),
      });
  return token === undefined ? { kind: 'code-needed' } : { kind: 'signed-in', token, member };
}

/** The password was right. Returns `undefined` if a code is needed and none was sent. */
async function continueWithCode(
  deps: SignInDeps,
  found: Credentials,
  attempt: Attempt,
  code: string | undefined,
  origin: Origin,
): Promise<string | undefined> {
  const { member } = found;
  if (code === undefined) {
    await ignoringOutages(attempt.forgiven());
    await recordAttempt(deps, member, origin, 'sign-in.code-missing');
    return undefined;
  }
  const isNew = await isNewDevice(deps, member, origin);
  const start = (entered: EnteredCode) =>
    startSession(deps, member, origin, {
      checked: found,
      isNewDevice: isNew,
      isProof: isStrongest(found, entered),
      use: (change) => useCode(change, member, entered),
    });
  const wrong = invalidSignIn({ withCode: true });
  const token = await withCode(deps, found, { code, address: origin.address, wrong }, start).catch(async (error) => {
    await ignoringOutages(attempt.forgiven());
    throw error;
  });
  await ignoringOutages(attempt.succeeded());
  return token;
}

/** The memberships that have this email and this password, and the attempt that was counted. */
async function checkMemberships(
  deps: SignInDeps,
  { email, password, accountId }: SignInRequest,
  origin: Origin,
): Promise<CheckedPassword<Membership>> {
  const emailFolded = fold(email);
  const all = await deps.credentials.byEmail(emailFolded);
  const asked = accountId === undefined ? all : all.filter(({ member }) => member.accountId === accountId);
  const known = await knownToDevice(deps, asked, origin);
  const others = asked.filter((each) => !known.some(({ members }) => members.includes(each)));
  // Even if there are no others: their count must not tell whether there are any.
  const groups =
    known.length > 0
      ? [...known, { members: others, sources: sourcesOfOthers(emailFolded, origin.address), waitsWithOthers: true }]
      : [{ members: others, sources: sourcesOfVisitor(emailFolded, origin.address) }];
  const isEnough = ({ member }: Membership) => !member.hasSecondFactor;
  const checked = await checkPasswordOf(deps, { groups, password, address: origin.address, isEnough });
  if (checked.matching.length > 0) return checked;
  const now = deps.clock.now();
  if (asked.length === 0) deps.refusals.note(undefined, origin.address, now);
  for (const { member } of known.flatMap(({ members }) => members)) deps.refusals.note(member, origin.address, now);
  // Where somebody is when they mistype on a device of their own concerns no other account.
  for (const { member } of others) deps.refusals.note(member, known.length > 0 ? '' : origin.address, now);
  return checked;
}

/** The members who have signed in with this device before. Each is counted apart: whatever others try, they can sign in. */
async function knownToDevice(
  { knownDevices }: SignInDeps,
  asked: readonly Membership[],
  { deviceNote }: Origin,
): Promise<CountedMembers<Membership>[]> {
  const known: CountedMembers<Membership>[] = [];
  for (const each of asked) {
    const deviceId = await knownDevices.find(deviceNote, each.member);
    if (deviceId !== undefined) known.push({ members: [each], sources: sourcesOfDevice(each.member.id, deviceId) });
  }
  return known;
}

/**
 * Does the work with a code that may be right, which returns `undefined` if the code was used before. Guessing is slowed down,
 * and a wrong code is recorded. Failures with the code of `wrong` count as guesses, and no others.
 */
export async function withCode<T>(
  deps: SignInDeps,
  { member, secondFactor }: Credentials,
  { code, address, wrong }: { code: string; address: string; wrong: Failure },
  work: (entered: EnteredCode) => Promise<T | undefined>,
): Promise<T> {
  const at = deps.clock.now();
  const attempt = await deps.attempts.begin(sourcesOfCode(member.id), at);
  try {
    const entered = readCode(deps.secrets, { memberId: member.id, sealedSecret: secondFactor?.sealedSecret }, code, at);
    const result = entered && (await work(entered));
    if (result === undefined) throw wrong;
    await ignoringOutages(attempt.succeeded());
    return result;
  } catch (error) {
    if (error === wrong) await recordAttempt(deps, member, { address }, 'sign-in.failed');
    else await ignoringOutages(attempt.forgiven());
    throw error;
  }
}

/**
 * Starts a session for a member whose credentials have been checked, and returns its token. Returns `undefined` if the
 * one-time code or the passkey cannot be used any more. The credentials are compared again under the lock, because the
 * password may have been changed since. The member is told by mail about a device that has not signed in before.
 */
export async function startSession(
  deps: StartSessionDeps,
  member: Member,
  { address, agent, requestId }: Origin,
  proof: { checked?: Credentials; use?: UseFactor; isNewDevice?: boolean; isProof?: boolean } = {},
): Promise<string | undefined> {
  const at = deps.clock.now();
  const { accountId, email } = member;
  const { session, token } = newSession(member, { address, agent }, at, { isProof: proof.isProof ?? true });
  return deps.changeAccount({ accountId, actor: { name: email, address, requestId }, at }, async (change) => {
    if (proof.checked && !hasSameCredentials(await change.credentials.byId(member.id), proof.checked))
      throw invalidSignIn({ withCode: proof.use !== undefined });
    if (proof.use && !(await proof.use(change))) return undefined;
    await change.sessions.open(session, hashSecret(token));
    if (proof.isNewDevice) await tellByMail(deps, change, email, { kind: 'new-device', address, agent: session.agent });
    change.record('sign-in.succeeded', email);
    return token;
  });
}

/** Whether the member has never signed in with this browser. */
export async function isNewDevice({ knownDevices }: SignInDeps, member: Member, origin: Origin): Promise<boolean> {
  return (await knownDevices.find(origin.deviceNote, member)) === undefined;
}

/** Where a passkey could have been used, a code of the app is not the strongest factor. A recovery code replaces either. */
export function isStrongest({ passkeys }: Credentials, entered: EnteredCode): boolean {
  return passkeys === 0 || 'recoveryHash' in entered;
}

export async function signOut(deps: StartSessionDeps, session: SignedInSession, actor: ActingMember): Promise<void> {
  const { accountId } = actor;
  await deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    await change.sessions.end(session.memberId, session.id);
    change.record('sign-in.ended', actor.name);
  });
}

/** When somebody signs in, the session that the same browser had before ends: nobody would ever use or end it. */
export async function endFormerSession(
  deps: StartSessionDeps,
  formerToken: string | undefined,
  address: string,
): Promise<void> {
  const former = formerToken === undefined ? undefined : await deps.sessions.find(hashSecret(formerToken));
  if (!former) return;
  const { accountId, memberId, email } = former;
  await deps.changeAccount({ accountId, actor: { name: email, address }, at: deps.clock.now() }, async (change) => {
    if (await change.sessions.end(memberId, former.id)) change.record('sign-in.ended', email);
  });
}

/**
 * Checks again that the member is at the keyboard, by the strongest factor that they have: a passkey, which is checked
 * elsewhere, else a code of their app, else the password. A recovery code is accepted instead of a passkey or the app.
 * Guessing is slowed down in the same way as at sign-in. Returns a new token for the session, so that one which was stolen
 * before ends here. Returns `undefined` if another request has just replaced the token.
 */
export async function reauthenticate(
  deps: SignInDeps,
  session: ProvedSession,
  actor: ActingMember,
  proof: { password?: string | undefined; code?: string | undefined },
): Promise<string | undefined> {
  const found = await deps.credentials.byId(actor.accountId, actor.memberId);
  if (found?.member.hasSecondFactor) {
    // Where a passkey could have been used, a code of the app is not enough.
    const byCode = found.passkeys > 0 ? { ...found, secondFactor: null } : found;
    const entered = { code: required(proof, 'code'), address: actor.address };
    const work = (each: EnteredCode) =>
      prove(deps, session, actor, found, (change) => useCode(change, found.member, each));
    return (await withCode(deps, byCode, { ...entered, wrong: wrongCode() }, work)).token;
  }
  const checked = await checkPassword(deps, actor, required(proof, 'password'));
  if (checked.member.hasSecondFactor) throw changedMeanwhile();
  return (await prove(deps, session, actor, checked))?.token;
}

export type ProvedSession = Pick<SignedInSession, 'id' | 'tokenHash'>;

function required<Field extends string>(proof: { [F in Field]?: string | undefined }, field: Field): string {
  const value = proof[field];
  if (value === undefined) throw new Failure('bad_parameter', `${field} is missing.`);
  return value;
}

/** Uses up a code or a passkey within a change. Returns false if it cannot be used any more. */
export type UseFactor = (
  change: AccountRecorder & { codes: CodeChanges; passkeys: PasskeyChanges },
) => Promise<boolean>;

/** Returns `undefined` if the code or the passkey cannot be used any more. */
export async function prove(
  deps: SignInDeps,
  session: ProvedSession,
  actor: ActingMember,
  checked: Credentials,
  use?: UseFactor,
): Promise<{ token: string | undefined } | undefined> {
  const { accountId, memberId } = actor;
  const token = newSessionToken();
  return deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    if (!hasSameCredentials(await change.credentials.byId(memberId), checked)) throw changedMeanwhile();
    if (use && !(await use(change))) return undefined;
    change.record('sign-in.proved', actor.name);
    return { token: (await change.sessions.prove(memberId, session, hashSecret(token))) ? token : undefined };
  });
}

export async function checkPassword(deps: SignInDeps, actor: ActingMember, password: string): Promise<Credentials> {
  const found = await deps.credentials.byId(actor.accountId, actor.memberId);
  const { matching } = await checkPasswordOf(deps, {
    groups: [{ members: found ? [found] : [], sources: sourcesOfMember(actor.memberId) }],
    password,
    address: actor.address,
    isEnough: () => true,
  });
  const [checked] = matching;
  if (checked) return checked;
  if (found) await recordAttempt(deps, found.member, actor, 'sign-in.failed');
  throw new Failure('bad_parameter', 'password is not correct.');
}

export function actorOf(member: Member, { address }: { address: string }): ActingMember {
  return { accountId: member.accountId, memberId: member.id, name: member.email, role: member.role, address };
}

/** The entry names the member whose sign-in failed, although somebody else may have tried it. */
function recordAttempt(
  deps: RecordDeps,
  { accountId, email }: Member,
  { address, requestId }: Pick<Origin, 'address' | 'requestId'>,
  action: 'sign-in.failed' | 'sign-in.code-missing',
): Promise<void> {
  return record(deps, { accountId, name: email, address, requestId }, action, email);
}

/**
 * Whether the credentials of a member are still the same as when they were checked. The sealed text is not compared, because
 * it also changes when the secret of the installation is rotated.
 */
export function hasSameCredentials(now: Credentials | undefined, checked: Credentials): boolean {
  return (
    now?.passwordHash === checked.passwordHash &&
    now.secondFactor?.addedAt === checked.secondFactor?.addedAt &&
    now.passkeys === checked.passkeys
  );
}

export function changedMeanwhile(): Failure {
  return new Failure('conflict', 'Your password or second factor has been changed in the meantime. Sign in again.');
}

/**
 * The same answer for an unknown email, a wrong password and a wrong code. It mentions the code only if one was sent,
 * which the sender knows anyway.
 */
function invalidSignIn({ withCode }: { withCode: boolean }): Failure {
  const fields = withCode ? 'email, password or code' : 'email or password';
  return new Failure('not_signed_in', `The ${fields} is not correct.`);
}
