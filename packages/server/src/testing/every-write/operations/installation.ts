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
      // Beyond that, only what is refused: by an email that is taken.
      const taken = state.accounts.length < ACCOUNTS_MAX ? undefined : state.accounts[0]?.members[0]?.email;
      const email = (taken ?? choice.teamEmail).trim();
      return { do: 'create account', name: `Firm of ${at}`, email, password: choice.password };
    },
  ),

  operation(1, 'set up again', fc.record({ token: which }), (choice, { state }) => [
    { do: 'offer set-up' },
    {
      do: 'set up',
      token: pick(state.everyToken, choice.token) ?? 'nothing',
      name: 'Again',
      email: 'again@team.example',
      password: PASSWORDS[0] ?? '',
    },
  ]),

  operation(3, 'rotate signing key', fc.constant({}), () => ({ do: 'rotate signing key' })),

  operation(3, 'retire signing key', fc.record({ key: which }), (choice, { state }) => {
    // The only one signs, so that trying to retire it is refused.
    if (state.signingKeys.length < 2 && choice.key % 5 > 0) return undefined;
    return { do: 'retire signing key', kid: pick(state.signingKeys, choice.key)?.kid ?? 'nothing' };
  }),

  operation(1, 'repair', fc.constant({}), () => ({ do: 'repair' })),

  operation(1, 'renew epoch', fc.constant({}), () => ({ do: 'renew epoch' })),

  operation(1, 'sweep', fc.constant({}), () => ({ do: 'sweep' })),
];
