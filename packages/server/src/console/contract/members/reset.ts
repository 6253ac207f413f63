import { type Static, Type } from 'typebox';
import { Email, Form, Token } from '../fields.ts';
import { NewPassword } from './password-fields.ts';

/** Asks for a mail with a link. The answer is the same whether a member has the email or not. */
export const ForgottenPasswordForm = Form({ email: Email });

/** `rollcall member reset` prints the link `/reset#<token>`, and mails contain it. */
export const ReadResetForm = Form({ token: Token });
export const ResetPreview = Form({
  email: Type.String(),
  account_name: Type.String(),
  removes_second_factor: Type.Boolean(),
});
export type ResetPreview = Static<typeof ResetPreview>;

export const ResetPasswordForm = Form({ token: Token, password: NewPassword });
