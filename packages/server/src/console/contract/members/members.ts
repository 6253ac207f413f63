import { type Static, Type } from 'typebox';
import { ROLES } from '../../../domain/members/member.ts';
import { Email, Form, Time, Token } from '../fields.ts';
import { NewPassword } from './password-fields.ts';

const Role = Type.Enum([...ROLES]);

export const MemberRecord = Form({
  member_id: Type.Integer(),
  email: Type.String(),
  role: Role,
  has_second_factor: Type.Boolean(),
  created_at: Time,
});
export type MemberRecord = Static<typeof MemberRecord>;

export const InvitationRecord = Form({
  invitation_id: Type.String(),
  email: Type.String(),
  role: Role,
  created_by: Type.String(),
  expires_at: Time,
});
export type InvitationRecord = Static<typeof InvitationRecord>;

export const MemberList = Form({
  members: Type.Array(MemberRecord),
  invitations: Type.Array(InvitationRecord),
});

export const InviteForm = Form({ email: Email, role: Role });

/** The token is sent only this once. The link is `/invitation#<token>`. */
export const Invited = Form({
  token: Type.String(),
  /** Whether the invited person also gets a mail. */
  is_mailed: Type.Boolean(),
});
export type Invited = Static<typeof Invited>;

/** Whether the API keys that the member has created are revoked as well. */
export const RemoveMemberQuery = Form({ keys: Type.Optional(Type.Enum(['keep', 'revoke'])) });

export const RoleForm = Form({ role: Role });

export const ReadInvitationForm = Form({ token: Token });
export const InvitationPreview = Form({ email: Type.String(), role: Role, account_name: Type.String() });

export const AcceptInvitationForm = Form({ token: Token, password: NewPassword });
