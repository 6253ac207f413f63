import { OPERATOR } from '../../../domain/change.ts';
import { ORIGIN, type RequestTo } from '../requests.ts';
import { record } from './record.ts';
import { refuse, refuseIf } from './refusal.ts';
import { forgetSecondFactor, openSession, PASSWORD_MIN } from './sign-in.ts';
import { endResetsOf, membersWithEmail, type State } from './state.ts';

const HOUR_MS = 3_600_000;

/** Changes nothing until the link is used, except that it ends the sessions if requested. */
export function createResetLink(state: State, request: RequestTo<'create reset link'>) {
  const { email, accountId, endSessions, at } = request;
  const [found, another] = membersWithEmail(state, email, accountId);
  if (!found) return refuse('not_found');
  refuseIf(another !== undefined, 'conflict');
  const { account, member } = found;
  endResetsOf(account, member.email);
  account.resets.push({ token: '', email: member.email, createdAt: at, expiresAt: at + HOUR_MS });
  if (endSessions) member.sessions = [];
  const subject = endSessions ? `${member.email} and ended all sessions` : member.email;
  record(account, { at, actor: OPERATOR }, 'member.reset-offered', subject);
  return { email: member.email, expiresAt: at + HOUR_MS };
}

/** Sets a new password, removes the second factor, and replaces all sessions with a new one. */
export function resetPassword(state: State, { token, password, at }: RequestTo<'reset password'>) {
  const account = state.accounts.find((each) => each.resets.some((reset) => reset.token === token));
  const reset = account?.resets.find((each) => each.token === token);
  const member = account?.members.find((each) => each.email === reset?.email);
  if (!account || !reset || !member || reset.expiresAt <= at) return refuse('not_found');
  refuseIf(password.length < PASSWORD_MIN, 'bad_parameter');
  account.resets = account.resets.filter((each) => each !== reset);
  member.password = password;
  forgetSecondFactor(member);
  member.sessions = [];
  record(
    account,
    { at, actor: { name: member.email, address: ORIGIN.address } },
    'profile.password-reset',
    member.email,
  );
  openSession(account, member, at);
  return null;
}
