import type { OnKeysChanged } from '../../domain/credentials/index.ts';
import {
  acceptInvitation,
  changeRole,
  endSessionOf,
  inviteMember,
  listSessionsOf,
  type ManageMembersDeps,
  readInvitation,
  removeMember,
  renewInvitation,
  withdrawInvitation,
} from '../../domain/members/manage-members.ts';
import type { Member } from '../../domain/members/member.ts';
import type { OneTimeLink } from '../../domain/members/one-time-link.ts';
import type { SessionDeps } from '../../domain/members/session.ts';
import { NoData } from '../contract/fields.ts';
import { BrowserList } from '../contract/members/browsers.ts';
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
import { accountRoute, type ConsoleRoute, openRoute } from '../define-route.ts';
import { timeText } from '../time.ts';
import { toBrowser } from './to-browser.ts';

export const memberRoutes = (
  deps: ManageMembersDeps & SessionDeps & { onKeysChanged: OnKeysChanged },
): ConsoleRoute[] => [
  accountRoute({
    methods: ['GET'],
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
    methods: ['PATCH'],
    path: '/console/members/:memberId',
    role: 'admin',
    proofTo: 'change the role of a member',
    body: RoleForm,
    data: MemberRecord,
    handle: async ({ actor, body, parameter }) =>
      toMember(await changeRole(deps, actor, memberIdOf(parameter), body.role)),
  }),

  accountRoute({
    methods: ['DELETE'],
    path: '/console/members/:memberId',
    role: 'admin',
    proofTo: 'remove a member',
    data: NoData,
    query: RemoveMemberQuery,
    handle: async ({ actor, parameter, query }) => {
      await removeMember(deps, actor, memberIdOf(parameter), { revokeKeys: query.keys === 'revoke' });
      return null;
    },
  }),

  accountRoute({
    methods: ['POST'],
    path: '/console/invitations',
    role: 'admin',
    proofTo: 'invite somebody',
    body: InviteForm,
    data: Invited,
    handle: async ({ actor, body }) => toInvited(deps, await inviteMember(deps, actor, body)),
  }),

  accountRoute({
    methods: ['DELETE'],
    path: '/console/invitations/:invitationId',
    role: 'admin',
    data: NoData,
    handle: async ({ actor, parameter }) => {
      await withdrawInvitation(deps, actor, parameter('invitationId'));
      return null;
    },
  }),

  accountRoute({
    methods: ['POST'],
    path: '/console/invitations/:invitationId/renewal',
    role: 'admin',
    proofTo: 'make a new invitation link',
    data: Invited,
    handle: async ({ actor, parameter }) =>
      toInvited(deps, await renewInvitation(deps, actor, parameter('invitationId'))),
  }),

  accountRoute({
    methods: ['GET'],
    path: '/console/members/:memberId/sessions',
    role: 'owner',
    data: BrowserList,
    handle: async ({ session, actor, parameter }) => {
      const sessions = await listSessionsOf(deps, actor, memberIdOf(parameter));
      return { sessions: sessions.map((each) => toBrowser(each, session.id)) };
    },
  }),

  accountRoute({
    methods: ['DELETE'],
    path: '/console/members/:memberId/sessions/:sessionId',
    role: 'owner',
    proofTo: 'sign a member out',
    data: NoData,
    handle: async ({ actor, parameter }) => {
      await endSessionOf(deps, actor, memberIdOf(parameter), parameter('sessionId'));
      return null;
    },
  }),

  openRoute({
    methods: ['POST'],
    path: '/console/invitation',
    body: ReadInvitationForm,
    data: InvitationPreview,
    handle: async ({ body }) => {
      const { email, role, accountName } = await readInvitation(deps, body.token);
      return { email, role, account_name: accountName };
    },
  }),

  openRoute({
    methods: ['POST'],
    path: '/console/invitation/acceptance',
    body: AcceptInvitationForm,
    data: NoData,
    handle: async ({ body, origin, signIn }) => {
      const { token, member } = await acceptInvitation(deps, body, origin);
      await signIn(token, member);
      return null;
    },
  }),
];

function toInvited({ sendsMail = false }: ManageMembersDeps, { token }: { token: string }): Invited {
  return { token, is_mailed: sendsMail };
}

/** Zero when it is not a number, which finds no member, just like a number that does not exist. */
function memberIdOf(parameter: (name: string) => string): number {
  return /^\d{1,9}$/.test(parameter('memberId')) ? Number(parameter('memberId')) : 0;
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
