export type { ActivityPage } from './activity.ts';
export type { InvitationRecord, MemberRecord } from './members.ts';
export type { ProfileRecord } from './profile.ts';
export type { SessionRecord } from './session.ts';
