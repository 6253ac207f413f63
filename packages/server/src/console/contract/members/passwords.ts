// The rules for new passwords, for the page on which one is chosen. The console applies them again.
export { isCommonPassword } from '../../../domain/members/common-passwords.ts';
export { PASSWORD_MIN_LENGTH, PASSWORD_MIN_LENGTH_WITH_SECOND_FACTOR } from '../../../domain/members/password-rules.ts';
