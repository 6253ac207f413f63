import fc from 'fast-check';
import type { ModelMember, State } from '../model/state.ts';
import type { Code } from '../requests.ts';
import { PASSWORDS, SHORTER_PASSWORD, TOO_SHORT } from './members.ts';
import { accountAt, actingAs, inAccount, operation, pick, which } from './operation.ts';

/** Rare, because each takes a twentieth of a second to hash a password. */
const member = { inAccount, member: which };

const knowsPassword = fc.constantFrom(true, true, true, false);

/** Usually a member to whom the operation applies, if there is one. */
function memberOf(
  state: State,
  choice: { inAccount: number; member: number },
  isFit: (member: ModelMember) => boolean = () => true,
) {
  const account = accountAt(state, choice.inAccount);
  const fit = account.members.filter(isFit);
  const found = pick(choice.member % 5 === 0 || fit.length === 0 ? account.members : fit, choice.member);
  if (!found) throw new Error('The model has an account without members.');
  return { found, actor: actingAs(account, found) };
}

export const SIGN_IN_OPERATIONS = [
  operation(
    4,
    'sign in',
    fc.record({ ...member, knowsPassword, code: fc.constantFrom('right', 'right', 'right', 'wrong', 'none') }),
    (choice, { state }) => {
      const account = accountAt(state, choice.inAccount);
      // Sometimes a member who was removed.
      const found = pick([...account.members, ...account.members, ...account.formerMembers], choice.member);
      if (!found) return undefined;
      const code = codeFor(choice.code, found.secret);
      return { kind: 'sign in', email: found.email, password: passwordOf(found, choice.knowsPassword), code };
    },
  ),

  operation(1, 'sign out', fc.record({ ...member, session: which }), (choice, { state }) => {
    const { found, actor } = memberOf(state, choice, isSignedIn);
    return { kind: 'sign out', actor, sessionId: sessionOf(found, choice.session) };
  }),

  operation(2, 'revoke session', fc.record({ ...member, session: which }), (choice, { state }) => {
    const { found, actor } = memberOf(state, choice, isSignedIn);
    return { kind: 'revoke session', actor, sessionId: sessionOf(found, choice.session) };
  }),

  operation(4, 'use session', fc.record({ ...member, token: which }), (choice, { state }) => {
    const tokens = memberOf(state, choice, isSignedIn).found.sessions.map((session) => session.token);
    const token = pick(choice.token % 5 === 0 ? state.everyToken : tokens, choice.token);
    return token === undefined ? undefined : { kind: 'use session', token };
  }),

  operation(1, 'reauthenticate', fc.record({ ...member, session: which, knowsPassword }), (choice, { state }) => {
    const { found, actor } = memberOf(state, choice);
    const password = passwordOf(found, choice.knowsPassword);
    return { kind: 'reauthenticate', actor, sessionId: sessionOf(found, choice.session), password };
  }),

  operation(
    1,
    'change password',
    fc.record({
      ...member,
      session: which,
      knowsPassword,
      newPassword: fc.constantFrom(...PASSWORDS, ...PASSWORDS, SHORTER_PASSWORD, TOO_SHORT),
    }),
    (choice, { state }) => {
      const { found, actor } = memberOf(state, choice, isSignedIn);
      const password = passwordOf(found, choice.knowsPassword);
      const sessionId = sessionOf(found, choice.session);
      return { kind: 'change password', actor, sessionId, password, newPassword: choice.newPassword };
    },
  ),

  operation(3, 'offer second factor', fc.record(member), (choice, { state }) => {
    const { actor } = memberOf(state, choice);
    return { kind: 'offer second factor', actor };
  }),

  operation(3, 'confirm second factor', fc.record({ ...member, right: knowsPassword }), (choice, { state }) => {
    const { found, actor } = memberOf(state, choice, ({ offeredSecret }) => offeredSecret !== '');
    if (found.offeredSecret === '' && choice.member % 5 > 0) return undefined;
    const isOffered = choice.right && found.offeredSecret !== '';
    return { kind: 'confirm second factor', actor, code: isOffered ? { secret: found.offeredSecret } : 'none' };
  }),

  operation(2, 'remove second factor', fc.record({ ...member, knowsPassword }), (choice, { state }) => {
    const { found, actor } = memberOf(state, choice, ({ secret }) => secret !== null);
    return { kind: 'remove second factor', actor, password: passwordOf(found, choice.knowsPassword) };
  }),
];

function isSignedIn({ sessions }: ModelMember): boolean {
  return sessions.length > 0;
}

function passwordOf(member: ModelMember, known: boolean): string {
  return known ? member.password : 'somebody guesses at this';
}

function codeFor(kind: string, secret: string | null): Code | undefined {
  if (kind === 'none') return undefined;
  return kind === 'right' && secret !== null ? { secret } : 'none';
}

function sessionOf(member: ModelMember, which: number): string {
  const ids = member.sessions.map((session) => session.id);
  return pick([...ids, ...ids, ...ids, 'nothing'], which) ?? 'nothing';
}
