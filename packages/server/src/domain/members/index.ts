export {
  type AccountCreation,
  type Accounts,
  createAccount,
  findAccount,
  findWorkspace,
  type SettingsChanges,
} from './account.ts';
export type { ActivityLog, EntryValues, LineOrigin } from './activity.ts';
export { type Chain, type ChainEnd, type ChainHead, hashOfEntry } from './activity-chain.ts';
export { type ActivityCuts, type CutChanges, signAgain, signCutsAgain } from './activity-cut.ts';
export { type ActivityRecord, type CutRecord, RECORD_FIELDS } from './activity-record.ts';
export type { LockedCredentials, MemberCredentials } from './credentials.ts';
export { cutActivity } from './cut-activity.ts';
export { type DeliverMailDeps, deliverMail, removeOldMail, type SendMail } from './deliver-mail.ts';
export type { CodeChanges } from './entered-code.ts';
export { SHOWN_FIELDS, type ShownRecord } from './export-activity.ts';
export type { Identities, IdentityChanges, IdentityProvider } from './identity.ts';
export { KnownDevices } from './known-devices.ts';
export type { Mail, MailChanges, MailQueue, MailSubject } from './mail.ts';
export { htmlText, type MailText, plainText } from './mail-text.ts';
export type { InvitationChanges, MemberChanges, Members } from './manage-members.ts';
export type { ProfileChanges, Profiles, SecondFactorChanges } from './manage-profile.ts';
export { type ActingMember, inBackground, isActingMember, isAtLeast, type Member, type Role } from './member.ts';
export { MemberWrites } from './member-writes.ts';
export type { LinkChanges, OneTimeLinks } from './one-time-link.ts';
export type { PasskeyChanges, Passkeys } from './passkey.ts';
export { newSaltKey } from './password.ts';
export { RefusedSignIns } from './refused-sign-ins.ts';
export {
  type DenialDeps,
  findSession,
  type Origin,
  RecentDenials,
  recordDenial,
  removeExpired,
  requireMayExport,
  requireRecentProof,
  requireRole,
  requireSecondFactor,
  type SessionChanges,
  type SessionDeps,
  type Sessions,
  type SignedInSession,
} from './session.ts';
export { createSetUpLink } from './set-up.ts';
export { endFormerSession, type StartSessionDeps } from './sign-in.ts';
export { type AttemptBooks, SignInAttempts } from './sign-in-attempts.ts';
export { type ActivityChains, problemText, verifyActivity } from './verify-activity.ts';
