import fc from 'fast-check';
import { ENVIRONMENTS } from '../../../domain/environment.ts';
import { ROLES } from '../../../domain/members/member.ts';
import type { ModelAccount, State } from '../model/state.ts';
import { accountAt, actorOf, inAccount, memberActing, mostly, operation, pick, which } from './operation.ts';

/** Only a few, so that people are invited twice, by both accounts, and after they have joined. */
export const TEAM = ['ann', 'ben', 'cat', 'dee', 'eli'].map((name) => `${name}@team.example`);
export const teamEmail = mostly(fc.constantFrom(...TEAM, 'ANN@team.example'), fc.constantFrom('', 'nobody'));

export const PASSWORDS = ['otters juggle seven lanterns', 'badgers polish nine kettles'];
/** Long enough only with a second factor. */
export const SHORTER_PASSWORD = 'nine newts';
export const TOO_SHORT = 'newt';

/** Whether somebody says which account is meant, which is needed if they are a member of several. */
export const namesAccount = fc.boolean();

const role = fc.constantFrom(...ROLES);

const settings = fc.record(
  { requiresDeclineReason: fc.boolean(), requiresSecondFactor: fc.boolean(), viewersMayExport: fc.boolean() },
  { requiredKeys: [] },
);

export const MEMBER_OPERATIONS = [
  operation(5, 'invite member', fc.record({ inAccount, by: which, teamEmail, role }), (choice, { state }) => {
    const actor = memberActing(accountAt(state, choice.inAccount), choice.by);
    return actor && { kind: 'invite member', actor, email: choice.teamEmail, role: choice.role };
  }),

  operation(2, 'withdraw invitation', fc.record({ inAccount, by: which, invitation: which }), (choice, { state }) => {
    const account = accountAt(state, choice.inAccount);
    const actor = memberActing(account, choice.by);
    const invitationId = invitationIn(state, account, choice.invitation);
    if (!actor || invitationId === undefined) return undefined;
    return { kind: 'withdraw invitation', actor, invitationId };
  }),

  operation(2, 'renew invitation', fc.record({ inAccount, by: which, invitation: which }), (choice, { state }) => {
    const account = accountAt(state, choice.inAccount);
    const actor = memberActing(account, choice.by);
    const invitationId = invitationIn(state, account, choice.invitation);
    if (!actor || invitationId === undefined) return undefined;
    return { kind: 'renew invitation', actor, invitationId };
  }),

  operation(
    2,
    'end session of member',
    fc.record({ inAccount, by: which, member: which, session: which }),
    (choice, { state }) => {
      const account = accountAt(state, choice.inAccount);
      const actor = memberActing(account, choice.by);
      const memberId = memberIn(state, account, choice.member);
      const sessions = state.accounts.flatMap((each) => each.members).find((each) => each.id === memberId)?.sessions;
      const sessionId = pick(sessions ?? [], choice.session)?.id ?? 'nothing';
      return actor && { kind: 'end session of member', actor, memberId, sessionId };
    },
  ),

  operation(
    4,
    'accept invitation',
    fc.record({ invitation: which, password: mostly(fc.constantFrom(...PASSWORDS), fc.constant(TOO_SHORT)) }),
    (choice, { state }) => {
      const open = state.accounts.flatMap((account) => account.invitations.map((invitation) => invitation.token));
      // Sometimes a token that has been used or withdrawn, or the token of a session.
      const token = pick(choice.invitation % 5 === 0 ? state.everyToken : open, choice.invitation);
      return token === undefined ? undefined : { kind: 'accept invitation', token, password: choice.password };
    },
  ),

  operation(
    3,
    'create reset link',
    fc.record({ inAccount, member: which, namesAccount, endSessions: fc.boolean() }),
    (choice, { state }) => {
      const { id, members, formerMembers } = accountAt(state, choice.inAccount);
      const email = pick([...members, ...members, ...formerMembers.slice(-1)], choice.member)?.email ?? 'nobody';
      const accountId = choice.namesAccount ? id : undefined;
      return { kind: 'create reset link', email, accountId, endSessions: choice.endSessions };
    },
  ),

  operation(
    3,
    'reset password',
    fc.record({ reset: which, password: mostly(fc.constantFrom(...PASSWORDS), fc.constant(TOO_SHORT)) }),
    (choice, { state }) => {
      const open = state.accounts.flatMap((account) => account.resets.map((reset) => reset.token));
      // Sometimes a token that has been used or has ended, or another kind of token.
      const token = pick(choice.reset % 5 === 0 ? state.everyToken : open, choice.reset);
      return token === undefined ? undefined : { kind: 'reset password', token, password: choice.password };
    },
  ),

  operation(4, 'change role', fc.record({ inAccount, by: which, member: which, role }), (choice, { state }) => {
    const account = accountAt(state, choice.inAccount);
    const actor = memberActing(account, choice.by);
    return (
      actor && { kind: 'change role', actor, memberId: memberIn(state, account, choice.member), role: choice.role }
    );
  }),

  operation(
    3,
    'remove member',
    fc.record({ inAccount, by: which, member: which, revokeKeys: fc.boolean() }),
    (choice, { state }) => {
      const account = accountAt(state, choice.inAccount);
      const actor = memberActing(account, choice.by);
      const memberId = memberIn(state, account, choice.member);
      return actor && { kind: 'remove member', actor, memberId, revokeKeys: choice.revokeKeys };
    },
  ),

  operation(3, 'update account', fc.record({ inAccount, by: which, settings }), (choice, { state }) => {
    const account = accountAt(state, choice.inAccount);
    return {
      kind: 'update account',
      accountId: account.id,
      actor: actorOf(account, choice.by),
      settings: choice.settings,
    };
  }),

  operation(
    1,
    'record export',
    fc.record({ inAccount, by: which, environment: fc.constantFrom(...ENVIRONMENTS) }),
    (choice, { state }) => {
      const actor = memberActing(accountAt(state, choice.inAccount), choice.by);
      return actor && { kind: 'record export', actor, environment: choice.environment };
    },
  ),
];

/** Usually a member of the account; sometimes one who was removed or who belongs to another account. */
function memberIn(state: State, account: ModelAccount, which: number): number {
  const others = state.accounts.flatMap((each) => (each === account ? each.formerMembers : each.members));
  return pick(which % 8 === 0 ? others : account.members, which)?.id ?? 0;
}

function invitationIn(state: State, account: ModelAccount, which: number): string | undefined {
  const others = state.accounts.flatMap((each) => (each === account ? [] : each.invitations));
  return which % 8 === 0 ? (pick(others, which)?.id ?? 'nothing') : pick(account.invitations, which)?.id;
}
