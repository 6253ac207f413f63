import { Type } from 'typebox';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../domain/members/password-rules.ts';

/** A password that is compared with the stored one. Rules for the length apply only when a password is chosen. */
export const Password = Type.String({ minLength: 1, maxLength: PASSWORD_MAX_LENGTH, format: 'password' });
export const NewPassword = Type.String({
  minLength: PASSWORD_MIN_LENGTH,
  maxLength: PASSWORD_MAX_LENGTH,
  format: 'password',
});
