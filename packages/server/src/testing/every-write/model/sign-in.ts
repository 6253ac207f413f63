import type { Actor } from '../../../domain/change.ts';
import { type Code, ORIGIN, type RequestTo } from '../requests.ts';
import { record } from './record.ts';
import { refuse, refuseIf } from './refusal.ts';
import {
  endResetsOf,
  findAccount,
  type ModelAccount,
  type ModelMember,
  type ModelSession,
  membersWithEmail,
  requireStillMember,
  type State,
} from './state.ts';

export const PASSWORD_MIN = 15;
const PASSWORD_MIN_WITH_SECOND_FACTOR = 8;

const HOUR_MS = 3_600_000;
const SEEN_AFTER_MS = 60_000;
const CODE_MS = 30_000;

/** A session expires after twelve hours without use, or two weeks after the sign-in. */
export function isAlive(session: ModelSession, now: number): boolean {
  return now - session.seenAt < 12 * HOUR_MS && now - session.createdAt < 14 * 24 * HOUR_MS;
}

export function openSession(account: ModelAccount, member: ModelMember, at: number): void {
  member.sessions.push({ id: '', token: '', createdAt: at, provedAt: at, seenAt: at });
  record(account, byThemselves(member, at), 'sign-in.succeeded', member.email);
}

/**
 * The same answer for an unknown email, a wrong password and a wrong code. Recorded only for existing members. A password that
 * is right in several accounts is not enough.
 */
export function signIn(state: State, request: RequestTo<'sign in'>) {
  const { at, email, accountId, password, code } = request;
  const asked = membersWithEmail(state, email, accountId);
  const failed = (those: typeof asked): never => {
    for (const { account, member } of those) record(account, byThemselves(member, at), 'sign-in.failed', member.email);
    return refuse('not_signed_in');
  };
  const [found, another] = asked.filter(({ member }) => member.password === password);
  if (!found) return failed(asked);
  if (another) return 'several-accounts';
  const { account, member } = found;
  if (member.secret !== null) {
    if (code === undefined) {
      record(account, byThemselves(member, at), 'sign-in.code-missing', member.email);
      return 'code-needed';
    }
    if (!useCode(account, member, code, byThemselves(member, at))) return failed([found]);
  }
  openSession(account, member, at);
  return 'signed-in';
}

/** A code works only once, and no code of an app works that is older than the last one. */
function useCode(account: ModelAccount, member: ModelMember, code: Code, by: { at: number; actor: Actor }): boolean {
  if (code === 'none') return false;
  if ('recovery' in code) {
    if (!member.recoveryCodes.includes(code.recovery)) return false;
    member.recoveryCodes = member.recoveryCodes.filter((each) => each !== code.recovery);
    member.formerCodes.push(code.recovery);
    record(account, by, 'profile.recovery-code-used', member.email);
    return true;
  }
  const step = Math.floor(by.at / CODE_MS);
  if (code.secret !== member.secret || step <= member.lastStep) return false;
  member.lastStep = step;
  return true;
}

export function forgetSecondFactor(member: ModelMember): void {
  member.secret = null;
  member.offeredSecret = '';
  forgetRecoveryCodes(member);
}

function forgetRecoveryCodes(member: ModelMember): void {
  member.formerCodes.push(...member.recoveryCodes);
  member.recoveryCodes = [];
}

export function signOut(state: State, request: RequestTo<'sign out'>) {
  const { account, member } = actingMember(state, request);
  member.sessions = member.sessions.filter((session) => session.id !== request.sessionId);
  record(account, request, 'sign-in.ended', member.email);
  return null;
}

export function revokeSession(state: State, request: RequestTo<'revoke session'>) {
  const { account, member } = actingMember(state, request);
  refuseIf(!member.sessions.some((session) => session.id === request.sessionId), 'not_found');
  member.sessions = member.sessions.filter((session) => session.id !== request.sessionId);
  record(account, request, 'profile.session-revoked', member.email);
  return null;
}

/** Any request of a browser. It only updates the time when the session was last seen. */
export function useSession(state: State, request: RequestTo<'use session'>) {
  for (const member of state.accounts.flatMap((account) => account.members)) {
    const session = member.sessions.find((each) => each.token === request.token);
    if (!session || !isAlive(session, request.at)) continue;
    if (request.at - session.seenAt > SEEN_AFTER_MS) session.seenAt = request.at;
    return { email: member.email, role: member.role };
  }
  return refuse('not_signed_in');
}

/** By a code if the member has a second factor, and by the password otherwise. The session gets another token. */
export function reauthenticate(state: State, request: RequestTo<'reauthenticate'>) {
  const { account, member } = actingMember(state, request);
  const { at, password, code } = request;
  if (member.secret === null) {
    if (password === undefined) return refuse('bad_parameter');
    checkPassword(state, { ...request, password });
  } else {
    if (code === undefined) return refuse('bad_parameter');
    if (!useCode(account, member, code, request)) {
      record(account, byThemselves(member, at), 'sign-in.failed', member.email);
      return refuse('bad_parameter');
    }
  }
  record(account, request, 'sign-in.proved', member.email);
  const session = member.sessions.find((each) => each.id === request.sessionId);
  if (!session) return 'the token stays';
  session.provedAt = at;
  if (session.token !== request.token) return 'the token stays';
  session.token = '';
  return 'another token';
}

/** Also ends all other sessions and the reset links of the member. */
export function changePassword(state: State, request: RequestTo<'change password'>) {
  const { account, member } = checkPassword(state, request);
  const minimum = member.secret === null ? PASSWORD_MIN : PASSWORD_MIN_WITH_SECOND_FACTOR;
  refuseIf(request.newPassword.length < minimum, 'bad_parameter');
  requireStillMember(account, request.actor);
  refuseIf(!member.sessions.some((session) => session.id === request.sessionId), 'conflict');
  member.password = request.newPassword;
  endOtherSessions(member, request);
  endResetsOf(account, member.email);
  record(account, request, 'profile.password-changed', member.email);
  return null;
}

/** It has no effect until it is confirmed with a code, so it is not recorded. */
export function offerSecondFactor(state: State, request: RequestTo<'offer second factor'>) {
  const { member } = actingMember(state, request);
  refuseIf(member.secret !== null, 'conflict');
  return null;
}

/** Also ends all other sessions. */
export function confirmSecondFactor(state: State, request: RequestTo<'confirm second factor'>) {
  const { account, member } = actingMember(state, request);
  const { code, at } = request;
  const secret = code !== 'none' && 'secret' in code ? code.secret : '';
  const isRight = member.offeredSecret !== '' && secret === member.offeredSecret;
  refuseIf(member.secret !== null || !isRight, 'bad_parameter');
  member.secret = member.offeredSecret;
  member.offeredSecret = '';
  member.lastStep = Math.floor(at / CODE_MS);
  endOtherSessions(member, request);
  record(account, request, 'profile.second-factor-added', member.email);
  return null;
}

function endOtherSessions(member: ModelMember, { sessionId, at }: { sessionId: string; at: number }): void {
  member.sessions = member.sessions.filter((session) => session.id === sessionId);
  for (const session of member.sessions) session.provedAt = at;
}

export function renewRecoveryCodes(state: State, request: RequestTo<'renew recovery codes'>) {
  const { account, member } = actingMember(state, request);
  refuseIf(member.secret === null, 'conflict');
  forgetRecoveryCodes(member);
  record(account, request, 'profile.recovery-codes-made', member.email);
  return null;
}

/** Refused if the password is too short to be used without a second factor. */
export function removeSecondFactor(state: State, request: RequestTo<'remove second factor'>) {
  const { account, member } = checkPassword(state, request);
  refuseIf(member.secret === null || request.password.length < PASSWORD_MIN, 'conflict');
  requireStillMember(account, request.actor);
  if (!useCode(account, member, request.code, request)) {
    record(account, byThemselves(member, request.at), 'sign-in.failed', member.email);
    refuse('bad_parameter');
  }
  forgetSecondFactor(member);
  record(account, request, 'profile.second-factor-removed', member.email);
  return null;
}

type OwnRequest = RequestTo<
  'renew recovery codes' | 'sign out' | 'reauthenticate' | 'change password' | 'offer second factor'
>;

function actingMember(state: State, { actor }: Pick<OwnRequest, 'actor'>) {
  const account = findAccount(state, actor.accountId);
  const member = account.members.find((each) => each.id === actor.memberId);
  if (!member) throw new Error('The model lets only members manage their own profile.');
  return { account, member };
}

function checkPassword(state: State, request: Pick<OwnRequest, 'actor' | 'at'> & { password: string }) {
  const { account, member } = actingMember(state, request);
  if (member.password !== request.password) {
    record(account, byThemselves(member, request.at), 'sign-in.failed', member.email);
    refuse('bad_parameter');
  }
  return { account, member };
}

function byThemselves(member: ModelMember, at: number) {
  return { at, actor: { name: member.email, address: ORIGIN.address } };
}
