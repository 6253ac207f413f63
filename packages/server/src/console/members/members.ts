import type { OnKeysEnded } from '../../domain/credentials/index.ts';
import {
  acceptInvitation,
  changeRole,
  inviteMember,
  type ManageMembersDeps,
  readInvitation,
  removeMember,
  withdrawInvitation,
} from '../../domain/members/manage-members.ts';
import type { Member } from '../../domain/members/member.ts';
import type { OneTimeLink } from '../../domain/members/one-time-link.ts';
import { Nothing } from '../contract/fields.ts';
import {
  AcceptInvitationForm,
  InvitationPreview,
  type InvitationRecord,
  Invited,
  InviteForm,
  MemberList,
  MemberRecord,
  ReadInvitationForm,
  RemoveMemberQuery,
  RoleForm,
} from '../contract/members/members.ts';
import { accountRoute, openRoute, type Route } from '../route.ts';
import { timeText } from '../time.ts';

export const memberRoutes = (deps: ManageMembersDeps & { onKeysEnded: OnKeysEnded }): Route[] => [
  accountRoute({
    method: 'GET',
    path: '/console/members',
    role: 'viewer',
    data: MemberList,
    handle: async ({ actor }) => {
      const [members, invitations] = await Promise.all([
        deps.members.list(actor.accountId),
        deps.links.invitations(actor.accountId, deps.clock.now()),
      ]);
      return { members: members.map(toMember), invitations: invitations.map(toInvitation) };
    },
  }),

  accountRoute({
    method: 'PATCH',
    path: '/console/members/:memberId',
    role: 'admin',
    proof: true,
    body: RoleForm,
    data: MemberRecord,
    handle: async ({ actor, body, param }) => toMember(await changeRole(deps, actor, numberOf(param), body.role)),
  }),

  accountRoute({
    method: 'DELETE',
    path: '/console/members/:memberId',
    role: 'admin',
    proof: true,
    data: Nothing,
    query: RemoveMemberQuery,
    handle: async ({ actor, param, query }) => {
      await removeMember(deps, actor, numberOf(param), { revokeKeys: query.keys === 'revoke' });
      return null;
    },
  }),

  accountRoute({
    method: 'POST',
    path: '/console/invitations',
    role: 'admin',
    proof: true,
    body: InviteForm,
    data: Invited,
    handle: async ({ actor, body }) => ({ token: (await inviteMember(deps, actor, body)).token }),
  }),

  accountRoute({
    method: 'DELETE',
    path: '/console/invitations/:invitationId',
    role: 'admin',
    data: Nothing,
    handle: async ({ actor, param }) => {
      await withdrawInvitation(deps, actor, param('invitationId'));
      return null;
    },
  }),

  openRoute({
    method: 'POST',
    path: '/console/invitation',
    body: ReadInvitationForm,
    data: InvitationPreview,
    handle: async ({ body }) => {
      const { email, role, accountName } = await readInvitation(deps, body.token);
      return { email, role, account_name: accountName };
    },
  }),

  openRoute({
    method: 'POST',
    path: '/console/invitation/acceptance',
    body: AcceptInvitationForm,
    data: Nothing,
    handle: async ({ body, origin, setSession }) => {
      setSession(await acceptInvitation(deps, body, origin));
      return null;
    },
  }),
];

/** What is not a number is no member's: it finds nothing, as any unknown number does. */
function numberOf(param: (name: string) => string): number {
  return /^\d{1,9}$/.test(param('memberId')) ? Number(param('memberId')) : 0;
}

function toMember(member: Member): MemberRecord {
  return {
    member_id: member.id,
    email: member.email,
    role: member.role,
    has_second_factor: member.hasSecondFactor,
    created_at: timeText(member.createdAt),
  };
}

function toInvitation(link: OneTimeLink): InvitationRecord {
  return {
    invitation_id: link.id,
    email: link.email ?? '',
    role: link.role ?? 'viewer',
    created_by: link.createdBy ?? '',
    expires_at: timeText(link.expiresAt),
  };
}
