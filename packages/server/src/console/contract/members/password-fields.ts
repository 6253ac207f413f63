import { Type } from 'typebox';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../domain/members/password-rules.ts';

/** A password that is compared, not chosen: any length is worth a try. */
export const Password = Type.String({ minLength: 1, maxLength: PASSWORD_MAX_LENGTH, format: 'password' });
export const NewPassword = Type.String({
  minLength: PASSWORD_MIN_LENGTH,
  maxLength: PASSWORD_MAX_LENGTH,
  format: 'password',
});
