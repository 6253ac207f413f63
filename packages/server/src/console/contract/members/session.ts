import { type Static, Type } from 'typebox';
import { ROLES } from '../../../domain/members/member.ts';
import { Code, Email, Form, Name, Nullable, Token } from '../fields.ts';
import { PasskeyUse } from './passkeys.ts';
import { NewPassword, Password } from './password-fields.ts';

export const SignInForm = Form({ email: Email, password: Password, code: Type.Optional(Code) });
export const SignInAnswer = Form({ signed_in: Type.Boolean() });

/** A passkey or a recovery code, a code of an app, or the password, whichever is the strongest that the member has. */
export const ProofForm = Form({
  password: Type.Optional(Password),
  code: Type.Optional(Code),
  passkey: Type.Optional(PasskeyUse),
});

/** What a visitor who is not signed in needs to know. */
export const SetUpState = Form({
  /** Whether nobody can sign in, because there is no account yet. */
  is_needed: Type.Boolean(),
  /** Whether this installation sends mail, so that a forgotten password can be replaced. */
  sends_mail: Type.Boolean(),
  /** The host of the sign-in service, if there is one. */
  provider: Nullable(Type.String()),
});

/** Completes a sign-in through the service. */
export const ProviderCodeForm = Form({ code: Code });
export type SetUpState = Static<typeof SetUpState>;

export const SetUpForm = Form({ token: Token, name: Name, email: Email, password: NewPassword });

export const SessionRecord = Form({
  email: Type.String(),
  role: Type.Enum([...ROLES]),
  account_name: Type.String(),
  has_second_factor: Type.Boolean(),
  has_passkey: Type.Boolean(),
  /** Whether the member can do nothing else before, because the account requires it. */
  must_add_second_factor: Type.Boolean(),
  may_export: Type.Boolean(),
  /** The base addresses of the two environments. Null when this process does not know the address. */
  addresses: Form({ production: Nullable(Type.String()), sandbox: Nullable(Type.String()) }),
});
export type SessionRecord = Static<typeof SessionRecord>;
