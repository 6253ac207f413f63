import { fold } from '../../../domain/text.ts';
import type { CallerSecrets, Request } from '../requests.ts';
import type { ListedAccount, View, ViewQuery } from '../view.ts';
import { findAccount, findWorkspace, type ModelSecret, type State, workspacesOf } from './state.ts';

// Ids, references and tokens that the product generates are copied into the model once, for the thing with the same name or
// creation time. From then on they must not change.

/** Learns the secrets that only the caller of a request gets. */
export function learnSecrets(state: State, request: Request, { token, secret, recoveryCodes }: CallerSecrets): void {
  if (token !== undefined) state.everyToken.push(token);
  if (request.kind === 'create set-up link' && token !== undefined) state.setUpToken = token;
  const makesSecret = request.kind === 'create key' || request.kind === 'roll key';
  for (const made of makesSecret && secret !== undefined ? secretsMadeAt(state, request.at) : []) {
    made.secret ||= secret ?? '';
  }
  for (const account of state.accounts) {
    for (const invitation of account.invitations) {
      const isMade = request.kind === 'invite member' || request.kind === 'renew invitation';
      if (isMade && invitation.createdAt === request.at) invitation.token = token ?? '';
    }
    for (const reset of account.resets) {
      if (request.kind === 'create reset link' && reset.createdAt === request.at) reset.token = token ?? '';
    }
    for (const member of account.members) {
      if (request.kind === 'offer second factor' && member.id === request.actor.memberId && secret !== undefined) {
        member.offeredSecret = secret;
      }
      const getsCodes = request.kind === 'confirm second factor' || request.kind === 'renew recovery codes';
      if (getsCodes && member.id === request.actor.memberId && recoveryCodes) member.recoveryCodes = recoveryCodes;
      for (const session of member.sessions) {
        if (request.kind === 'reauthenticate' && session.id === request.sessionId) session.token ||= token ?? '';
        const opens = ['sign in', 'accept invitation', 'reset password'].includes(request.kind);
        if (opens && session.createdAt === request.at) session.token = token ?? '';
      }
    }
  }
}

function secretsMadeAt(state: State, at: number): ModelSecret[] {
  const keys = workspacesOf(state).flatMap((workspace) => workspace.keys);
  return keys.flatMap((key) => key.secrets).filter(({ createdAt }) => createdAt === at);
}

export function learnAccounts(state: State, listed: readonly ListedAccount[]): void {
  for (const account of state.accounts) {
    const found = listed.find((each) => each.name === account.name);
    if (account.id !== 0 || !found) continue;
    account.id = found.id;
    for (const [index, workspace] of account.workspaces.entries()) workspace.id = found.workspaceIds[index] ?? 0;
  }
}

/** Learns the ids, references and tokens of new things. */
export function learnIdentities(state: State, view: View, query: ViewQuery): void {
  const epoch = view.workspaces[0]?.stamp.split('.')[0] ?? '';
  if (!state.formerEpochs.includes(epoch)) state.epoch ||= epoch;
  for (const key of state.signingKeys) {
    const isSame = (each: typeof key) => each.createdAt === key.createdAt && each.signsFrom === key.signsFrom;
    key.kid ||= view.signingKeys.find(isSame)?.kid ?? '';
  }
  for (const [index, accountId] of query.accountIds.entries()) {
    const seen = view.accountDetails[index];
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
  for (const [index, { workspaceId }] of query.workspaces.entries()) {
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
    const same = seen?.details?.keys.find((each) => (key.id ? each.id === key.id : each.name === key.name));
    key.id ||= same?.id ?? '';
    for (const secret of key.secrets) {
      secret.preview ||= same?.secrets.find((each) => each.number === secret.number)?.preview ?? '';
    }
  }
}
