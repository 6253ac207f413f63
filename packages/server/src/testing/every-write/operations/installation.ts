import fc from 'fast-check';
import { PASSWORDS, TOO_SHORT, teamEmail } from './members.ts';
import { mostly, operation, pick, which } from './operation.ts';

const ACCOUNTS_MAX = 3;

export const INSTALLATION_OPERATIONS = [
  operation(
    1,
    'create account',
    fc.record({ teamEmail, password: mostly(fc.constantFrom(...PASSWORDS), fc.constant(TOO_SHORT)) }),
    (choice, { state, at }) => {
      const { password } = choice;
      // Further accounts are only tried with the name and the owner of another one, which is refused.
      const [first] = state.accounts.length < ACCOUNTS_MAX ? [] : state.accounts;
      const owner = first?.members.find((member) => member.role === 'owner');
      if (first && owner) return { kind: 'create account', name: first.name, email: owner.email, password };
      return { kind: 'create account', name: `Firm of ${at}`, email: choice.teamEmail.trim(), password };
    },
  ),

  operation(1, 'set up again', fc.record({ token: which }), (choice, { state }) => [
    { kind: 'create set-up link' },
    {
      kind: 'set up',
      token: pick(state.everyToken, choice.token) ?? 'nothing',
      name: 'Again',
      email: 'again@team.example',
      password: PASSWORDS[0] ?? '',
    },
  ]),

  operation(3, 'rotate signing key', fc.constant({}), () => ({ kind: 'rotate signing key' })),

  operation(3, 'retire signing key', fc.record({ key: which }), (choice, { state }) => {
    // A single key signs, so retiring it is refused.
    if (state.signingKeys.length < 2 && choice.key % 5 > 0) return undefined;
    return { kind: 'retire signing key', kid: pick(state.signingKeys, choice.key)?.kid ?? 'nothing' };
  }),

  operation(1, 'rebuild indexes', fc.constant({}), () => ({ kind: 'rebuild indexes' })),

  operation(2, 'cut activity', fc.record({ days: fc.constantFrom(0, 1, 2, 30) }), ({ days }, { state }) => {
    // A cut needs a key that signs it.
    return state.signingKeys.some((key) => key.signsFrom !== null) ? { kind: 'cut activity', days } : undefined;
  }),

  operation(1, 'renew epoch', fc.constant({}), () => ({ kind: 'renew epoch' })),

  operation(1, 'remove expired', fc.constant({}), () => ({ kind: 'remove expired' })),
];
