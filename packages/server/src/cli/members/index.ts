export { accountCommand } from './account.ts';
export { memberCommand } from './member.ts';
