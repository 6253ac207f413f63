import {
  addPasskey,
  type ManagePasskeysDeps,
  offerPasskey,
  removePasskey,
} from '../../domain/members/manage-passkeys.ts';
import type { Passkey } from '../../domain/members/passkey.ts';
import { askForPasskey, signInWithPasskey } from '../../domain/members/passkey-sign-in.ts';
import type { PasskeyAnswer } from '../../domain/members/verify-passkey.ts';
import { NoData } from '../contract/fields.ts';
import {
  AddPasskeyForm,
  PasskeyOffer,
  type PasskeyRecord,
  PasskeyRequest,
  PasskeySignInForm,
  type PasskeyUse,
  RemovePasskeyForm,
} from '../contract/members/passkeys.ts';
import { RecoveryCodes } from '../contract/members/profile.ts';
import { accountRoute, type ConsoleRoute, openRoute } from '../define-route.ts';
import { timeText } from '../time.ts';
import { relyingParty } from './relying-party.ts';

export const passkeyRoutes = (deps: ManagePasskeysDeps & { publicUrl: string | undefined }): ConsoleRoute[] => [
  openRoute({
    methods: ['POST'],
    path: '/console/passkey',
    data: PasskeyRequest,
    handle: async ({ request }) => {
      const { id } = relyingParty(request, deps.publicUrl);
      return { challenge: await askForPasskey(deps), relying_party: id };
    },
  }),

  openRoute({
    methods: ['POST'],
    path: '/console/session/passkey',
    body: PasskeySignInForm,
    data: NoData,
    handle: async ({ body, origin, request, signIn }) => {
      const party = relyingParty(request, deps.publicUrl);
      const { token, member } = await signInWithPasskey(deps, party, toAnswer(body.passkey), origin);
      await signIn(token, member);
      return null;
    },
  }),

  accountRoute({
    methods: ['POST'],
    path: '/console/profile/passkeys/offer',
    role: 'viewer',
    withoutSecondFactor: true,
    proofTo: 'add a passkey',
    data: PasskeyOffer,
    handle: async ({ actor, request, session }) => {
      const { id } = relyingParty(request, deps.publicUrl);
      const { challenge, userId, known } = await offerPasskey(deps, actor);
      return {
        challenge,
        relying_party: id,
        user_id: userId,
        email: actor.name,
        account_name: session.accountName,
        known_ids: known.map((each) => each.id),
      };
    },
  }),

  accountRoute({
    methods: ['POST'],
    path: '/console/profile/passkeys',
    role: 'viewer',
    withoutSecondFactor: true,
    proofTo: 'add a passkey',
    body: AddPasskeyForm,
    data: RecoveryCodes,
    handle: async (context) => {
      const { actor, session, body, request } = context;
      const { client_data: clientData, ...rest } = body.passkey;
      const added = { name: body.name, answer: { clientData, ...rest } };
      const party = relyingParty(request, deps.publicUrl);
      const { codes, token } = await addPasskey(deps, party, session, actor, added);
      if (token !== undefined) context.setSession(token);
      return { recovery_codes: codes };
    },
  }),

  accountRoute({
    methods: ['POST'],
    path: '/console/profile/passkeys/removal',
    role: 'viewer',
    proofTo: 'remove a passkey',
    body: RemovePasskeyForm,
    data: NoData,
    handle: async ({ actor, body }) => {
      await removePasskey(deps, actor, { id: body.passkey_id, password: body.password });
      return null;
    },
  }),
];

export function toAnswer({ id, client_data, authenticator_data, signature }: PasskeyUse): PasskeyAnswer {
  return { id, clientData: client_data, authenticatorData: authenticator_data, signature };
}

export function toPasskeyRecord({ id, name, createdAt, usedAt }: Passkey): PasskeyRecord {
  return {
    passkey_id: id,
    name,
    created_at: timeText(createdAt),
    used_at: usedAt === null ? null : timeText(usedAt),
  };
}
