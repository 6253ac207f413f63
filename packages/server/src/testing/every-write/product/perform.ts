import { OPERATOR, record } from '../../../domain/change.ts';
import { changeManyClients, changeSeenClient } from '../../../domain/clients/change-clients.ts';
import { importClients } from '../../../domain/clients/import-clients.ts';
import {
  addClient,
  correctClient,
  eraseClient,
  moveClient,
  setClientStatus,
  setRequestStatus,
} from '../../../domain/clients/manage-clients.ts';
import { createGroup, renameGroup } from '../../../domain/clients/manage-groups.ts';
import { addSample } from '../../../domain/clients/sample-clients.ts';
import { ConcurrencyLimit } from '../../../domain/concurrency-limit.ts';
import { dayOf } from '../../../domain/credentials/key-usage.ts';
import { createKey, revokeAnyKey, revokeKey } from '../../../domain/credentials/manage-keys.ts';
import { retireSigningKey, rotateSigningKey } from '../../../domain/credentials/signing-keys.ts';
import { renewEpoch } from '../../../domain/epoch.ts';
import { isFailure } from '../../../domain/failure.ts';
import { createAccount } from '../../../domain/members/account.ts';
import {
  acceptInvitation,
  changeRole,
  inviteMember,
  removeMember,
  withdrawInvitation,
} from '../../../domain/members/manage-members.ts';
import {
  changePassword,
  confirmSecondFactor,
  offerSecondFactor,
  removeSecondFactor,
  revokeSession,
} from '../../../domain/members/manage-profile.ts';
import type { ActingMember } from '../../../domain/members/member.ts';
import { offerReset, resetPassword } from '../../../domain/members/reset-member.ts';
import { codeAt } from '../../../domain/members/second-factor.ts';
import { findSession, type SignedIn } from '../../../domain/members/session.ts';
import { offerSetUp, setUp } from '../../../domain/members/set-up.ts';
import { proveAgain, signIn, signOut } from '../../../domain/members/sign-in.ts';
import { SignInAttempts } from '../../../domain/members/sign-in-attempts.ts';
import { sweepExpired } from '../../../domain/members/sweep.ts';
import type { Store } from '../../../store/open-store.ts';
import { type Code, type Deed, type Made, ORIGIN, type Outcome, type Request, type RequestTo } from '../requests.ts';

/** Does a request to the product, through its own use cases. */
export async function perform(store: Store, request: Request): Promise<{ outcome: Outcome; made: Made }> {
  const made: Made = {};
  const deed = DEEDS[request.do] as (deps: Deps, request: Request, made: Made) => Promise<unknown>;
  try {
    return { outcome: { done: await deed(depsAt(store, request.at), request, made) }, made };
  } catch (error) {
    if (isFailure(error)) return { outcome: { refused: error.code }, made };
    throw error;
  }
}

type Deps = ReturnType<typeof depsAt>;

/** Attempts are counted in memory, by process; here nobody has tried before, so that nobody has to wait. */
function depsAt(store: Store, at: number) {
  return {
    ...store,
    clock: { now: () => at },
    attempts: new SignInAttempts(),
    concurrencyLimit: new ConcurrencyLimit({ atOnce: 1, waitingMax: 1 }),
    // Each process finds out for itself, when it looks.
    keysEnded: async () => {},
  };
}

const DEEDS: { [D in Deed]: (deps: Deps, request: RequestTo<D>, made: Made) => Promise<unknown> } = {
  'add client': async (deps, request) => {
    const { client, added } = await addClient(deps, request, request);
    const { referenceId, groupToken, ...known } = client;
    return { added, client: known };
  },
  'correct client': (deps, request) => correctClient(deps, request, request.referenceId, request.correction),
  'move client': (deps, request) => moveClient(deps, request, request.referenceId, request.groupName),
  'set request status': (deps, request) => setRequestStatus(deps, request, request.referenceId, request.requestStatus),
  'set client status': (deps, request) => setClientStatus(deps, request, request.referenceId, request.status),
  'change seen client': (deps, request) => changeSeenClient(deps, request, request.referenceId, request),
  'change many clients': async (deps, request) => {
    const { changed, refused } = await changeManyClients(deps, request, request);
    return { changed, refused: refused.map((each) => each.referenceId) };
  },
  'erase client': (deps, request) => nothing(eraseClient(deps, request, request.referenceId)),
  'import clients': runImport,
  'add sample': (deps, request) => addSample(inPieces(deps, request), request.actor, request),
  'create group': async (deps, request) => {
    const { name, createdAt } = await createGroup(deps, request, request.name);
    return { name, createdAt };
  },
  'rename group': (deps, request) => renameGroup(deps, request, request.tokenOrName, request.name),

  'create key': async (deps, request) => {
    const { createdBy, ...rest } = request;
    const { key } = await createKey(deps, request, { ...rest, ...(createdBy !== undefined && { createdBy }) });
    return { name: key.name, createdBy: key.createdBy, expiresAt: key.expiresAt };
  },
  'revoke key': async (deps, request) => revoked(await revokeKey(deps, request, request.keyId)),
  'revoke any key': async (deps, request) => revoked(await revokeAnyKey(deps, request.actor, request.keyId)),
  'count calls': (deps, { workspaceId, calls, at }) =>
    nothing(deps.keyUsage.add(calls.map((each) => ({ ...each, workspaceId, day: dayOf(at), lastUsedAt: at })))),

  'invite member': async (deps, request, made) => {
    const { invitation, token } = await inviteMember(deps, request.actor, request);
    made.token = token;
    return { email: invitation.email, role: invitation.role, expiresAt: invitation.expiresAt };
  },
  'withdraw invitation': (deps, request) => nothing(withdrawInvitation(deps, request.actor, request.invitationId)),
  'accept invitation': async (deps, request, made) => {
    made.token = await acceptInvitation(deps, request, ORIGIN);
    return null;
  },
  'offer reset': async (deps, request, made) => {
    const { member, token, expiresAt } = await offerReset(deps, OPERATOR, request);
    made.token = token;
    return { email: member.email, expiresAt };
  },
  'use reset': async (deps, request, made) => {
    made.token = await resetPassword(deps, request, ORIGIN);
    return null;
  },
  'change role': async (deps, request) => {
    const { email, role } = await changeRole(deps, request.actor, request.memberId, request.role);
    return { email, role };
  },
  'remove member': async (deps, request) => {
    let ended = 0;
    const keysEnded = async (keyIds: readonly string[]) => {
      ended += keyIds.length;
    };
    await removeMember({ ...deps, keysEnded }, request.actor, request.memberId, request);
    return { keysEnded: ended };
  },
  'note an export': (deps, { actor, environment }) =>
    nothing(record(deps, actor, 'client.exported', 'clients as CSV', environment)),

  'sign in': async (deps, request, made) => {
    const { code, ...rest } = request;
    made.token = await signIn(deps, code === undefined ? rest : { ...rest, code: codeOf(code, request.at) }, ORIGIN);
    return made.token === undefined ? 'a code is needed' : 'signed in';
  },
  'sign out': (deps, request) => nothing(signOut(deps, sessionOf(request), request.actor)),
  'revoke session': (deps, request) => nothing(revokeSession(deps, request.actor, request.sessionId)),
  visit: async (deps, request) => {
    const { email, role } = await findSession(deps, request.token);
    return { email, role };
  },
  'prove again': (deps, request) => nothing(proveAgain(deps, sessionOf(request), request.actor, request.password)),
  'change password': (deps, request) => nothing(changePassword(deps, sessionOf(request), request.actor, request)),
  'offer second factor': async (deps, request, made) => {
    made.secret = (await offerSecondFactor(deps, request.actor)).secret;
    return null;
  },
  'confirm second factor': (deps, request) =>
    nothing(confirmSecondFactor(deps, request.actor, codeOf(request.code, request.at))),
  'remove second factor': (deps, request) => nothing(removeSecondFactor(deps, request.actor, request.password)),

  'offer set-up': async (deps, _, made) => {
    made.token = await offerSetUp(deps);
    return made.token === undefined ? 'nothing' : 'a link';
  },
  'set up': (deps, request) => nothing(setUp(deps, request, ORIGIN.address)),
  'create account': async (deps, request) => {
    const { account } = await createAccount(deps, OPERATOR, request);
    return { name: account.name };
  },
  'rotate signing key': async (deps) => {
    const { signsFrom } = await rotateSigningKey(deps);
    return { signsFrom };
  },
  'retire signing key': (deps, request) => nothing(retireSigningKey(deps, request.kid)),
  repair: (deps, { at }) => nothing(deps.repair({ actor: OPERATOR, at })),
  'renew epoch': (deps) => nothing(renewEpoch(deps)),
  sweep: (deps) => nothing(sweepExpired(deps)),
};

async function runImport(deps: Deps, request: RequestTo<'import clients'>) {
  const rejected: { line: number; about: string }[] = [];
  const source = request.rows.map((cells, index) => ({ line: index + 2, cells }));
  const { inserted, updated, unchanged } = await importClients(inPieces(deps, request), request, source, {
    origin: request.origin,
    dryRun: request.dryRun,
    onReject: ({ row, reason }) => {
      rejected.push({ line: row.line, about: reason.split(/[ ,]/)[0] ?? '' });
    },
  });
  return { inserted, updated, unchanged, rejected: rejected.sort((a, b) => a.line - b.line) };
}

/** Pieces are thousands of rows in earnest. */
function inPieces(deps: Deps, { rowsAtOnce }: { rowsAtOnce: number }): Deps {
  return { ...deps, clients: { ...deps.clients, rowsAtOnce } };
}

function codeOf(code: Code, at: number): string {
  return code === 'none' ? 'no code' : codeAt(code.secret, at);
}

/** What of a session counts for the request of a browser that is signed in. */
function sessionOf({ sessionId, actor }: { sessionId: string; actor: ActingMember }): SignedIn {
  const { accountId, memberId, name: email, role } = actor;
  const times = { createdAt: 0, provedAt: 0, seenAt: 0 };
  return { id: sessionId, accountId, memberId, email, role, accountName: '', ...times, ...ORIGIN };
}

function revoked(key: { id: string; revokedAt: number | null }) {
  return { keyId: key.id, revokedAt: key.revokedAt };
}

async function nothing(work: Promise<unknown>): Promise<null> {
  await work;
  return null;
}
