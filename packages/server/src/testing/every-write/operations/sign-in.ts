import fc from 'fast-check';
import type { ModelMember, State } from '../model/state.ts';
import type { Code } from '../requests.ts';
import { namesAccount, PASSWORDS, SHORTER_PASSWORD, TOO_SHORT } from './members.ts';
import { accountAt, actingAs, inAccount, operation, pick, which } from './operation.ts';

/** Rare, because each takes a twentieth of a second to hash a password. */
const member = { inAccount, member: which };

const knowsPassword = fc.constantFrom(true, true, true, false);

const CODE_KINDS = ['right', 'right', 'right', 'recovery', 'recovery', 'used', 'wrong', 'none'] as const;
type CodeKind = (typeof CODE_KINDS)[number];
const code = fc.constantFrom(...CODE_KINDS);

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
  operation(4, 'sign in', fc.record({ ...member, namesAccount, knowsPassword, code }), (choice, { state }) => {
    const account = accountAt(state, choice.inAccount);
    // Sometimes a member who was removed.
    const found = pick([...account.members, ...account.members, ...account.formerMembers], choice.member);
    if (!found) return undefined;
    const password = passwordOf(found, choice.knowsPassword);
    const accountId = choice.namesAccount ? account.id : undefined;
    return { kind: 'sign in', email: found.email, accountId, password, code: codeFor(choice.code, found) };
  }),

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

  operation(
    3,
    'reauthenticate',
    fc.record({ ...member, session: which, token: which, knowsPassword, code }),
    (choice, { state }) => {
      const { found, actor } = memberOf(state, choice, isSignedIn);
      const sessionId = sessionOf(found, choice.session);
      // Sometimes the request comes from a page that was opened before the token was replaced.
      const current = found.sessions.find((session) => session.id === sessionId)?.token ?? '';
      const token = choice.token % 5 === 0 ? (pick(state.everyToken, choice.token) ?? '') : current;
      const proof =
        found.secret === null ? { password: passwordOf(found, choice.knowsPassword) } : givenCode(choice.code, found);
      return { kind: 'reauthenticate', actor, sessionId, token, ...proof };
    },
  ),

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

  operation(
    3,
    'confirm second factor',
    fc.record({ ...member, session: which, right: knowsPassword }),
    (choice, { state }) => {
      const { found, actor } = memberOf(state, choice, ({ offeredSecret }) => offeredSecret !== '');
      if (found.offeredSecret === '' && choice.member % 5 > 0) return undefined;
      const code = choice.right && found.offeredSecret !== '' ? { secret: found.offeredSecret } : 'none';
      return { kind: 'confirm second factor', actor, sessionId: sessionOf(found, choice.session), code };
    },
  ),

  operation(2, 'remove second factor', fc.record({ ...member, knowsPassword, code }), (choice, { state }) => {
    const { found, actor } = memberOf(state, choice, hasSecondFactor);
    const password = passwordOf(found, choice.knowsPassword);
    return { kind: 'remove second factor', actor, password, code: codeFor(choice.code, found) ?? 'none' };
  }),

  operation(1, 'renew recovery codes', fc.record(member), (choice, { state }) => {
    return { kind: 'renew recovery codes', actor: memberOf(state, choice, hasSecondFactor).actor };
  }),
];

function isSignedIn({ sessions }: ModelMember): boolean {
  return sessions.length > 0;
}

function passwordOf(member: ModelMember, known: boolean): string {
  return known ? member.password : 'somebody guesses at this';
}

function hasSecondFactor({ secret }: ModelMember): boolean {
  return secret !== null;
}

function codeFor(kind: CodeKind, { secret, recoveryCodes, formerCodes }: ModelMember): Code | undefined {
  if (kind === 'none') return undefined;
  if (kind === 'right') return secret === null ? 'none' : { secret };
  const [recovery] = kind === 'recovery' ? recoveryCodes : kind === 'used' ? formerCodes : [];
  return recovery === undefined ? 'none' : { recovery };
}

function givenCode(kind: CodeKind, member: ModelMember): { code?: Code } {
  const code = codeFor(kind, member);
  return code === undefined ? {} : { code };
}

function sessionOf(member: ModelMember, which: number): string {
  const ids = member.sessions.map((session) => session.id);
  return pick([...ids, ...ids, ...ids, 'nothing'], which) ?? 'nothing';
}
