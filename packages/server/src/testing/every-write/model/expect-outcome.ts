import type { Deed, Outcome, Request, RequestTo } from '../requests.ts';
import {
  addClient,
  changeManyClients,
  changeSeenClient,
  correctClient,
  eraseClient,
  moveClient,
  setClientStatus,
  setRequestStatus,
} from './clients.ts';
import { createGroup, renameGroup } from './groups.ts';
import { addSample, importClients } from './imports.ts';
import {
  createAccount,
  offerSetUp,
  renewEpoch,
  repair,
  retireSigningKey,
  rotateSigningKey,
  setUp,
  sweep,
} from './installation.ts';
import { countCalls, createKey, revokeAnyKey, revokeKey } from './keys.ts';
import {
  acceptInvitation,
  changeRole,
  inviteMember,
  noteAnExport,
  removeMember,
  withdrawInvitation,
} from './members.ts';
import { Refusal } from './refusal.ts';
import { offerReset, resetPassword } from './resets.ts';
import {
  changePassword,
  confirmSecondFactor,
  offerSecondFactor,
  proveAgain,
  removeSecondFactor,
  revokeSession,
  signIn,
  signOut,
  visit,
} from './sign-in.ts';
import type { State } from './state.ts';

/** A rule changes the state and says what the caller is told, or refuses. */
const RULES: { [D in Deed]: (state: State, request: RequestTo<D>) => unknown } = {
  'add client': addClient,
  'correct client': correctClient,
  'move client': moveClient,
  'set request status': setRequestStatus,
  'set client status': setClientStatus,
  'change seen client': changeSeenClient,
  'change many clients': changeManyClients,
  'erase client': eraseClient,
  'import clients': importClients,
  'add sample': addSample,
  'create group': createGroup,
  'rename group': renameGroup,
  'create key': createKey,
  'revoke key': revokeKey,
  'revoke any key': revokeAnyKey,
  'count calls': countCalls,
  'invite member': inviteMember,
  'withdraw invitation': withdrawInvitation,
  'accept invitation': acceptInvitation,
  'offer reset': offerReset,
  'use reset': resetPassword,
  'change role': changeRole,
  'remove member': removeMember,
  'note an export': noteAnExport,
  'sign in': signIn,
  'sign out': signOut,
  'revoke session': revokeSession,
  visit,
  'prove again': proveAgain,
  'change password': changePassword,
  'offer second factor': offerSecondFactor,
  'confirm second factor': confirmSecondFactor,
  'remove second factor': removeSecondFactor,
  'offer set-up': offerSetUp,
  'set up': setUp,
  'create account': createAccount,
  'rotate signing key': rotateSigningKey,
  'retire signing key': retireSigningKey,
  repair,
  'renew epoch': renewEpoch,
  sweep,
};

/** Does the request to the model, and says what should become of it. */
export function expectOutcome<D extends Deed>(state: State, request: RequestTo<D>): Outcome {
  const rule = RULES[request.do as D] as (state: State, request: Request) => unknown;
  try {
    return { done: rule(state, request) };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code };
    throw error;
  }
}
