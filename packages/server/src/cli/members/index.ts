export { accountCommand } from './account.ts';
export { auditCommand } from './audit.ts';
export { memberCommand } from './member.ts';
