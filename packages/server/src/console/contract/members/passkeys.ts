import { type Static, Type } from 'typebox';
import { Form, Name, Nullable, Time } from '../fields.ts';
import { Password } from './password-fields.ts';

export { PASSKEY_ALGORITHMS } from '../../../domain/members/passkey.ts';

/** Bytes in base64url, as browsers and authenticators exchange them. */
const Bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });
const PasskeyId = Bytes(1400);

/** What a browser needs to ask for a passkey. */
export const PasskeyRequest = Form({ challenge: Type.String(), relying_party: Type.String() });
export type PasskeyRequest = Static<typeof PasskeyRequest>;

/** What an authenticator answers. */
export const PasskeyUse = Form({
  id: PasskeyId,
  client_data: Bytes(4000),
  authenticator_data: Bytes(4000),
  signature: Bytes(4000),
});
export type PasskeyUse = Static<typeof PasskeyUse>;

export const PasskeySignInForm = Form({ passkey: PasskeyUse });

/** What a browser needs to make a passkey. */
export const PasskeyOffer = Form({
  challenge: Type.String(),
  relying_party: Type.String(),
  user_id: Type.String(),
  email: Type.String(),
  account_name: Type.String(),
  /** The passkeys that the member has, so that the same device does not make a second one. */
  known_ids: Type.Array(Type.String()),
});
export type PasskeyOffer = Static<typeof PasskeyOffer>;

export const AddPasskeyForm = Form({
  name: Name,
  passkey: Form({
    id: PasskeyId,
    client_data: Bytes(4000),
    attestation: Bytes(20_000),
  }),
});

/** The id may be too long for an address. */
export const RemovePasskeyForm = Form({ passkey_id: PasskeyId, password: Password });

export const PasskeyRecord = Form({
  passkey_id: Type.String(),
  name: Type.String(),
  created_at: Time,
  used_at: Nullable(Time),
});
export type PasskeyRecord = Static<typeof PasskeyRecord>;
