import { fold } from '../../../domain/text.ts';
import type { Made, Request } from '../requests.ts';
import type { ListedAccount, Look, View } from '../view.ts';
import { findAccount, findWorkspace, type State } from './state.ts';

// What the product makes up by itself is taken from it once, by the name or the moment that tells a thing apart. From then
// on it must stay so.

/** What only the caller of a request is told. */
export function learnMade(state: State, request: Request, { token, secret }: Made): void {
  if (token !== undefined) state.everyToken.push(token);
  if (request.do === 'offer set-up' && token !== undefined) state.setUpToken = token;
  for (const account of state.accounts) {
    for (const invitation of account.invitations) {
      if (request.do === 'invite member' && invitation.createdAt === request.at) invitation.token = token ?? '';
    }
    for (const reset of account.resets) {
      if (request.do === 'offer reset' && reset.createdAt === request.at) reset.token = token ?? '';
    }
    for (const member of account.members) {
      if (request.do === 'offer second factor' && member.id === request.actor.memberId && secret !== undefined) {
        member.offeredSecret = secret;
      }
      for (const session of member.sessions) {
        const opens = ['sign in', 'accept invitation', 'use reset'].includes(request.do);
        if (opens && session.createdAt === request.at) session.token = token ?? '';
      }
    }
  }
}

export function learnAccounts(state: State, listed: readonly ListedAccount[]): void {
  for (const account of state.accounts) {
    const found = listed.find((each) => each.ownerEmail === account.members[0]?.email);
    if (account.id !== 0 || !found) continue;
    account.id = found.id;
    for (const [index, workspace] of account.workspaces.entries()) workspace.id = found.workspaceIds[index] ?? 0;
  }
}

/** Numbers, references and tokens of what is new. */
export function learnIdentities(state: State, view: View, look: Look): void {
  const epoch = view.workspaces[0]?.stamp.split('.')[0] ?? '';
  if (!state.formerEpochs.includes(epoch)) state.epoch ||= epoch;
  for (const key of state.signingKeys) {
    key.kid ||= view.signingKeys.find((each) => each.createdAt === key.createdAt)?.kid ?? '';
  }
  for (const [index, accountId] of look.accountIds.entries()) {
    const seen = view.insides[index];
    const { members, invitations } = findAccount(state, accountId);
    for (const member of members) {
      member.id ||= seen?.members.find((each) => each.email === member.email)?.id ?? 0;
      for (const session of member.sessions) {
        const same = seen?.sessions[member.email]?.find((each) => each.createdAt === session.createdAt);
        session.id ||= same?.id ?? '';
      }
    }
    for (const invitation of invitations) {
      const same = seen?.invitations.find(
        (each) => each.email === invitation.email && each.expiresAt === invitation.expiresAt,
      );
      invitation.id ||= same?.id ?? '';
    }
  }
  for (const [index, { workspaceId }] of look.workspaces.entries()) {
    learnWorkspace(state, workspaceId, view.workspaces[index]);
  }
}

function learnWorkspace(state: State, workspaceId: number, seen: View['workspaces'][number] | undefined): void {
  const { groups, clients, keys } = findWorkspace(state, workspaceId).workspace;
  for (const group of groups) group.token ||= seen?.groups.find((each) => each.name === group.name)?.token ?? '';
  for (const client of clients) {
    const same = seen?.details?.export.find(
      (each) => each.groupName === client.group.name && fold(each.email) === fold(client.email),
    );
    client.referenceId ||= same?.referenceId ?? '';
  }
  for (const key of keys) {
    const same = seen?.details?.keys.find((each) => each.name === key.name);
    key.id ||= same?.id ?? '';
    key.preview ||= same?.preview ?? '';
  }
}
