import { type Static, Type } from 'typebox';
import { ROLES } from '../../../domain/members/member.ts';
import { Code, Email, Form, Name, Nullable, Token } from '../fields.ts';
import { PasskeyUse } from './passkeys.ts';
import { NewPassword, Password } from './password-fields.ts';

const AccountId = Type.Integer({ minimum: 1, maximum: 999_999_999 });

export const SignInForm = Form({
  email: Email,
  password: Password,
  code: Type.Optional(Code),
  /** The account to sign in to, if the password is right for several. */
  account_id: Type.Optional(AccountId),
});

export const AccountChoice = Form({ account_id: AccountId, name: Type.String() });
export type AccountChoice = Static<typeof AccountChoice>;

/** If nobody is signed in, one of the accounts must be chosen, or a code is needed if there are none to choose from. */
export const SignInAnswer = Form({ signed_in: Type.Boolean(), accounts: Type.Optional(Type.Array(AccountChoice)) });
export type SignInAnswer = Static<typeof SignInAnswer>;

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

/** The accounts of somebody whom the service has named, of which one must be chosen. */
export const ProviderAccounts = Form({ accounts: Type.Array(AccountChoice) });
export type ProviderAccounts = Static<typeof ProviderAccounts>;
export const ProviderAccountForm = Form({ account_id: AccountId });
export type SetUpState = Static<typeof SetUpState>;

export const SetUpForm = Form({ token: Token, name: Name, email: Email, password: NewPassword });

export const SessionRecord = Form({
  member_id: Type.Integer(),
  email: Type.String(),
  role: Type.Enum([...ROLES]),
  account_id: AccountId,
  account_name: Type.String(),
  has_second_factor: Type.Boolean(),
  has_passkey: Type.Boolean(),
  /** Whether the member can do nothing else before, because the account requires it. */
  must_add_second_factor: Type.Boolean(),
  may_export: Type.Boolean(),
  /** Whether the account requires a reason to decline a client. */
  requires_decline_reason: Type.Boolean(),
  /** The base addresses of the two environments. Null when this process does not know the address. */
  addresses: Form({ production: Nullable(Type.String()), sandbox: Nullable(Type.String()) }),
});
export type SessionRecord = Static<typeof SessionRecord>;

/** Who is signed in with the browser, if anybody is. */
export const VisitorRecord = Form({ session: Nullable(SessionRecord) });
export type VisitorRecord = Static<typeof VisitorRecord>;
