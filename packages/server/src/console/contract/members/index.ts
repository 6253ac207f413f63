export type { Action } from '../../../domain/action.ts';
export type { ActionKind } from '../../../domain/members/activity.ts';
export type { Role } from '../../../domain/members/member.ts';
export { ACCOUNT_HEADER } from './account-header.ts';
export type { ActivityActors, ActivityPage, ChangedFields } from './activity.ts';
export type { InvitationRecord, MemberRecord } from './members.ts';
export { PASSKEY_ALGORITHMS, type PasskeyOffer, type PasskeyRequest, type PasskeyUse } from './passkeys.ts';
export type { ProfileRecord } from './profile.ts';
export type { SessionRecord, VisitorRecord } from './session.ts';
