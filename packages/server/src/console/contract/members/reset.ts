import { type Static, Type } from 'typebox';
import { Form, Token } from '../fields.ts';
import { NewPassword } from './password-fields.ts';

/** `rollcall member reset` prints the link `/reset#<token>`. */
export const ReadResetForm = Form({ token: Token });
export const ResetPreview = Form({ email: Type.String(), account_name: Type.String() });
export type ResetPreview = Static<typeof ResetPreview>;

export const ResetPasswordForm = Form({ token: Token, password: NewPassword });
