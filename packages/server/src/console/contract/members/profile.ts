import { type Static, Type } from 'typebox';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH_WITH_SECOND_FACTOR } from '../../../domain/members/password-rules.ts';
import { Code, Form } from '../fields.ts';
import { BrowserRecord } from './browsers.ts';
import { PasskeyRecord } from './passkeys.ts';
import { NewPassword, Password } from './password-fields.ts';

export const ProfileRecord = Form({
  /** Whether the member has an authenticator app. */
  has_app: Type.Boolean(),
  has_second_factor: Type.Boolean(),
  passkeys: Type.Array(PasskeyRecord),
  recovery_codes_left: Type.Integer(),
  sessions: Type.Array(BrowserRecord),
});
export type ProfileRecord = Static<typeof ProfileRecord>;

/** The form of a member with a second factor. The console accepts it from every member, and the domain checks the length. */
export const ChangePasswordForm = Form({
  password: Password,
  new_password: Type.String({
    minLength: PASSWORD_MIN_LENGTH_WITH_SECOND_FACTOR,
    maxLength: PASSWORD_MAX_LENGTH,
    format: 'password',
  }),
});

export const ChangePasswordFormWithoutSecondFactor = Form({ password: Password, new_password: NewPassword });

export const SecondFactorOffer = Form({ secret: Type.String(), link: Type.String() });
export type SecondFactorOffer = Static<typeof SecondFactorOffer>;

export const ConfirmSecondFactorForm = Form({ code: Code });
export const RemoveSecondFactorForm = Form({ password: Password, code: Code });

/** They are shown once. */
export const RecoveryCodes = Form({ recovery_codes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;
