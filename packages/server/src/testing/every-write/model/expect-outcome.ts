import type { Outcome, Request, RequestKind, RequestTo } from '../requests.ts';
import { assignClients } from './assignments.ts';
import {
  addClient,
  addClientsAtOnce,
  changeAllThatMatch,
  changeClientIfUnchanged,
  changeManyClients,
  correctClient,
  eraseClient,
  moveClient,
  setClientStatus,
  setRequestStatus,
  undoManyClients,
} from './clients.ts';
import { createGroup, deleteGroup, renameGroup } from './groups.ts';
import { addSample, importClients } from './imports.ts';
import {
  createAccount,
  createSetUpLink,
  cutActivity,
  rebuildIndexes,
  removeExpired,
  renewEpoch,
  retireSigningKey,
  rotateSigningKey,
  setUp,
} from './installation.ts';
import { countCalls, createKey, endOldSecret, revokeAnyKey, revokeKey, rollKey, updateKey } from './keys.ts';
import {
  acceptInvitation,
  changeRole,
  endSessionOf,
  inviteMember,
  recordExport,
  removeMember,
  renewInvitation,
  updateAccount,
  withdrawInvitation,
} from './members.ts';
import { mergeGroups } from './merge-groups.ts';
import { Refusal } from './refusal.ts';
import { createResetLink, resetPassword } from './resets.ts';
import {
  changePassword,
  confirmSecondFactor,
  offerSecondFactor,
  reauthenticate,
  removeSecondFactor,
  renewRecoveryCodes,
  revokeSession,
  signIn,
  signOut,
  useSession,
} from './sign-in.ts';
import type { State } from './state.ts';

/** A rule changes the state and returns the answer for the caller, or refuses the request. */
const RULES: { [D in RequestKind]: (state: State, request: RequestTo<D>) => unknown } = {
  'add client': addClient,
  'add clients at once': addClientsAtOnce,
  'correct client': correctClient,
  'move client': moveClient,
  'set request status': setRequestStatus,
  'set client status': setClientStatus,
  'change if unchanged': changeClientIfUnchanged,
  'change many clients': changeManyClients,
  'undo many clients': undoManyClients,
  'change all that match': changeAllThatMatch,
  'assign clients': assignClients,
  'erase client': eraseClient,
  'import clients': importClients,
  'add sample': addSample,
  'create group': createGroup,
  'rename group': renameGroup,
  'merge groups': mergeGroups,
  'delete group': deleteGroup,
  'create key': createKey,
  'update key': updateKey,
  'roll key': rollKey,
  'end old secret': endOldSecret,
  'revoke key': revokeKey,
  'revoke any key': revokeAnyKey,
  'count calls': countCalls,
  'invite member': inviteMember,
  'withdraw invitation': withdrawInvitation,
  'renew invitation': renewInvitation,
  'end session of member': endSessionOf,
  'accept invitation': acceptInvitation,
  'create reset link': createResetLink,
  'reset password': resetPassword,
  'change role': changeRole,
  'remove member': removeMember,
  'record export': recordExport,
  'update account': updateAccount,
  'sign in': signIn,
  'sign out': signOut,
  'revoke session': revokeSession,
  'use session': useSession,
  reauthenticate,
  'change password': changePassword,
  'offer second factor': offerSecondFactor,
  'confirm second factor': confirmSecondFactor,
  'remove second factor': removeSecondFactor,
  'renew recovery codes': renewRecoveryCodes,
  'create set-up link': createSetUpLink,
  'set up': setUp,
  'create account': createAccount,
  'rotate signing key': rotateSigningKey,
  'retire signing key': retireSigningKey,
  'rebuild indexes': rebuildIndexes,
  'cut activity': cutActivity,
  'renew epoch': renewEpoch,
  'remove expired': removeExpired,
};

/** Applies the request to the model and returns the expected outcome. */
export function expectOutcome<D extends RequestKind>(state: State, request: RequestTo<D>): Outcome {
  const rule = RULES[request.kind as D] as (state: State, request: Request) => unknown;
  try {
    return { done: rule(state, request) };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code };
    throw error;
  }
}
