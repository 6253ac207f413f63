import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChangeBy, OPERATOR, record } from '../../../domain/change.ts';
import { assignClients } from '../../../domain/clients/assign-clients.ts';
import { changeManyClients, undoManyClients } from '../../../domain/clients/change-many-clients.ts';
import { importClients } from '../../../domain/clients/import-clients.ts';
import { findBulkChange, startBulkChange } from '../../../domain/clients/manage-bulk-changes.ts';
import {
  addClient,
  changeClientIfUnchanged,
  correctClient,
  eraseClient,
  moveClient,
  setClientStatus,
  setRequestStatus,
} from '../../../domain/clients/manage-clients.ts';
import { createGroup, deleteGroup, renameGroup } from '../../../domain/clients/manage-groups.ts';
import { mergeGroups } from '../../../domain/clients/merge-groups.ts';
import { rebuildIndexes } from '../../../domain/clients/rebuild-indexes.ts';
import { BulkChangeRunner } from '../../../domain/clients/run-bulk-changes.ts';
import { addSample } from '../../../domain/clients/sample-clients.ts';
import { SearchQueue } from '../../../domain/clients/search-queue.ts';
import { checkClient, type GivenClient, type WrittenClient } from '../../../domain/clients/write-clients.ts';
import { ConcurrencyLimit } from '../../../domain/concurrency-limit.ts';
import type { KeyFacts } from '../../../domain/credentials/key-facts.ts';
import { hourOf, removeOldUsage } from '../../../domain/credentials/key-usage.ts';
import { createKey, revokeAnyKey, revokeKey, updateKey } from '../../../domain/credentials/manage-keys.ts';
import { rotateSigningKey } from '../../../domain/credentials/manage-signing-keys.ts';
import { endOldSecret, rollKey } from '../../../domain/credentials/roll-key.ts';
import { renewEpoch } from '../../../domain/epoch.ts';
import { isFailure } from '../../../domain/failure.ts';
import { createAccount } from '../../../domain/members/account.ts';
import { cutActivity } from '../../../domain/members/cut-activity.ts';
import {
  acceptInvitation,
  changeRole,
  endSessionOf,
  inviteMember,
  removeMember,
  renewInvitation,
  withdrawInvitation,
} from '../../../domain/members/manage-members.ts';
import {
  changePassword,
  confirmSecondFactor,
  offerSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  revokeSession,
} from '../../../domain/members/manage-profile.ts';
import type { ActingMember } from '../../../domain/members/member.ts';
import { createResetLink, resetPassword } from '../../../domain/members/reset-password.ts';
import { codeAt } from '../../../domain/members/second-factor.ts';
import { findSession, removeExpired, type SignedInSession } from '../../../domain/members/session.ts';
import { createSetUpLink, setUp } from '../../../domain/members/set-up.ts';
import { reauthenticate, signIn, signOut } from '../../../domain/members/sign-in.ts';
import { SignInAttempts } from '../../../domain/members/sign-in-attempts.ts';
import { updateAccount } from '../../../domain/members/update-account.ts';
import { retireSigningKey } from '../../../domain/retire-signing-key.ts';
import { hashSecret } from '../../../domain/secret.ts';
import type { Store } from '../../../store/open-store.ts';
import {
  type CallerSecrets,
  type Code,
  ORIGIN,
  type Outcome,
  type Request,
  type RequestKind,
  type RequestTo,
} from '../requests.ts';

/** Performs a request with the use cases of the product. */
export async function perform(store: Store, request: Request): Promise<{ outcome: Outcome; secrets: CallerSecrets }> {
  const secrets: CallerSecrets = {};
  const handler = HANDLERS[request.kind] as (deps: Deps, request: Request, secrets: CallerSecrets) => Promise<unknown>;
  try {
    return { outcome: { done: await handler(depsAt(store, request.at), request, secrets) }, secrets };
  } catch (error) {
    if (isFailure(error)) return { outcome: { refused: error.code }, secrets };
    throw error;
  }
}

type Deps = ReturnType<typeof depsAt>;

/** Sign-in attempts start at zero here, so that no request has to wait. */
function depsAt(store: Store, at: number) {
  return {
    ...store,
    clock: { now: () => at },
    attempts: new SignInAttempts({ change: async (_, change) => void change([]), removeOld: async () => {} }),
    concurrencyLimit: new ConcurrencyLimit({ atOnce: 1, waitingMax: 1, refusal: 'Too many.' }),
    // Each process loads the changed keys itself when it reads a view.
    onKeysChanged: async () => {},
  };
}

/** As a program does that is answered on its own, whatever happens to the requests of others. */
async function addOverApi(
  { answerAddition }: Deps,
  { workspaceId, actor, at }: ChangeBy & { at: number },
  given: GivenClient,
): Promise<unknown> {
  const written: WrittenClient[] = [];
  const answer = (each: WrittenClient) => {
    written.push(each);
    return { answer: { status: 201, headers: [], body: '' } };
  };
  try {
    const once = undefined;
    await answerAddition({ workspaceId, actor, at, once }, { check: () => checkClient(given, at), answer });
  } catch (error) {
    if (isFailure(error)) return { refused: error.code };
    throw error;
  }
  // The work of a transaction that is repeated runs again.
  const { referenceId, groupToken, ...known } = (written.at(-1) as WrittenClient).client;
  return { client: known };
}

const HANDLERS: {
  [D in RequestKind]: (deps: Deps, request: RequestTo<D>, secrets: CallerSecrets) => Promise<unknown>;
} = {
  'add client': async (deps, request) => {
    const { client, added } = await addClient(deps, request, request);
    const { referenceId, groupToken, ...known } = client;
    return { added, client: known };
  },
  'add clients at once': (deps, { clients, ...request }) =>
    Promise.all(clients.map((given) => addOverApi(deps, request, given))),
  'correct client': (deps, request) => correctClient(deps, request, request.referenceId, request.correction),
  'move client': (deps, request) => moveClient(deps, request, request.referenceId, request.groupName),
  'set request status': (deps, request) =>
    setRequestStatus(deps, request, request.referenceId, request.requestStatus, request.reason),
  'set client status': (deps, request) => setClientStatus(deps, request, request.referenceId, request.status),
  'change if unchanged': async (deps, request) =>
    (await changeClientIfUnchanged(deps, request, request.referenceId, request)).client,
  'change many clients': async (deps, request) => {
    const { changed, refused } = await changeManyClients(deps, request, request);
    return { changed, refused: refused.map((each) => each.referenceId) };
  },
  'undo many clients': async (deps, request) => {
    const { changed, refused } = await undoManyClients(deps, request, request);
    return { changed, refused: refused.map((each) => each.referenceId) };
  },
  'change all that match': changeAll,
  'assign clients': async (deps, request) => {
    const { changed, refused } = await assignClients(deps, request, request);
    return { changed, refused: refused.map((each) => each.referenceId) };
  },
  'erase client': (deps, request) => nothing(eraseClient(deps, request, request.referenceId)),
  'import clients': runImport,
  'add sample': (deps, request) => addSample(inPieces(deps, request), request.actor, request),
  'create group': async (deps, request) => {
    const { name, createdAt } = await createGroup(deps, request, request.name);
    return { name, createdAt };
  },
  'rename group': async (deps, request) => {
    const { name, createdAt } = await renameGroup(deps, request, request.tokenOrName, request.name);
    return { name, createdAt };
  },
  'merge groups': async (deps, request) => {
    const { into, clients } = await mergeGroups(deps, request, request.from, request.into, request);
    return { into: into.name, clients };
  },
  'delete group': async (deps, request) => {
    const { name } = await deleteGroup(deps, request, request.tokenOrName);
    return { name };
  },

  'create key': async (deps, request, secrets) => {
    const { createdBy, ...rest } = request;
    const { key, secret } = await createKey(deps, request, { ...rest, ...(createdBy !== undefined && { createdBy }) });
    secrets.secret = secret;
    return { name: key.name, createdBy: key.createdBy, expiresAt: key.expiresAt };
  },
  'update key': async (deps, request) => {
    const { name, note, expiresAt } = await updateKey(deps, request, request.keyId, request.change);
    return { name, note, expiresAt };
  },
  'roll key': async (deps, request, secrets) => {
    const { key, secret, ended } = await rollKey(deps, request, request.keyId, request);
    secrets.secret = secret;
    return { number: key.secrets.at(-1)?.number, ended: ended?.number ?? null };
  },
  'end old secret': (deps, request) => nothing(endOldSecret(deps, request, request.keyId, request.number)),
  'revoke key': async (deps, request) => revoked(await revokeKey(deps, request, request.keyId)),
  'revoke any key': async (deps, request) => revoked(await revokeAnyKey(deps, request.actor, request.keyId)),
  'count calls': async (deps, { workspaceId, calls, at }) => {
    const counts = calls.map(({ keyId, calls, address }) => {
      return {
        workspaceId,
        keyId,
        hour: hourOf(at),
        calls,
        failed: 0,
        limited: 0,
        lastUsedAt: at,
        lastUsedFrom: address,
      };
    });
    await deps.keyUsage.add(counts);
    return nothing(deps.keyUsage.moveLastUse(counts));
  },

  'invite member': async (deps, request, secrets) => {
    const { invitation, token } = await inviteMember(deps, request.actor, request);
    secrets.token = token;
    return { email: invitation.email, role: invitation.role, expiresAt: invitation.expiresAt };
  },
  'withdraw invitation': (deps, request) => nothing(withdrawInvitation(deps, request.actor, request.invitationId)),
  'renew invitation': async (deps, request, secrets) => {
    const { invitation, token } = await renewInvitation(deps, request.actor, request.invitationId);
    secrets.token = token;
    return { email: invitation.email, role: invitation.role, expiresAt: invitation.expiresAt };
  },
  'end session of member': (deps, request) =>
    nothing(endSessionOf(deps, request.actor, request.memberId, request.sessionId)),
  'accept invitation': async (deps, request, secrets) => {
    secrets.token = (await acceptInvitation(deps, request, ORIGIN)).token;
    return null;
  },
  'create reset link': async (deps, request, secrets) => {
    const { member, token, expiresAt } = await createResetLink(deps, OPERATOR, request);
    secrets.token = token;
    return { email: member.email, expiresAt };
  },
  'reset password': async (deps, request, secrets) => {
    secrets.token = (await resetPassword(deps, request, ORIGIN))?.token;
    return null;
  },
  'change role': async (deps, request) => {
    const { email, role } = await changeRole(deps, request.actor, request.memberId, request.role);
    return { email, role };
  },
  'remove member': async (deps, request) => {
    let ended = 0;
    const onKeysChanged = async (changed: readonly KeyFacts[]) => {
      ended += changed.filter(({ isRevoked }) => isRevoked).length;
    };
    await removeMember({ ...deps, onKeysChanged }, request.actor, request.memberId, request);
    return { keysEnded: ended };
  },
  'record export': (deps, { actor, environment }) =>
    nothing(record(deps, actor, 'client.exported', 'clients as CSV', environment)),

  'update account': (deps, request) => updateAccount(deps, request, request.settings),

  'sign in': async (deps, request, secrets) => {
    const { code, ...rest } = request;
    const given = code === undefined ? rest : { ...rest, code: codeOf(code, request.at) };
    try {
      const result = await signIn(deps, given, ORIGIN);
      if (result.kind === 'signed-in') secrets.token = result.token;
      return result.kind;
    } finally {
      await deps.refusals.flush(Number.POSITIVE_INFINITY);
    }
  },
  'sign out': (deps, request) => nothing(signOut(deps, sessionOf(request), request.actor)),
  'revoke session': (deps, request) => nothing(revokeSession(deps, request.actor, request.sessionId)),
  'use session': async (deps, request) => {
    const { email, role } = await findSession(deps, request.token);
    return { email, role };
  },
  reauthenticate: async (deps, request, secrets) => {
    const { sessionId: id, token, code, password } = request;
    const proof = { password, code: code && codeOf(code, request.at) };
    secrets.token = await reauthenticate(deps, { id, tokenHash: hashSecret(token) }, request.actor, proof);
    return secrets.token === undefined ? 'the token stays' : 'another token';
  },
  'change password': (deps, request) => nothing(changePassword(deps, sessionOf(request), request.actor, request)),
  'offer second factor': async (deps, request, secrets) => {
    secrets.secret = (await offerSecondFactor(deps, request.actor)).secret;
    return null;
  },
  'confirm second factor': async (deps, request, secrets) => {
    const code = codeOf(request.code, request.at);
    secrets.recoveryCodes = (await confirmSecondFactor(deps, sessionOf(request), request.actor, code)).codes;
    return null;
  },
  'remove second factor': (deps, request) =>
    nothing(removeSecondFactor(deps, request.actor, { ...request, code: codeOf(request.code, request.at) })),
  'renew recovery codes': async (deps, request, secrets) => {
    secrets.recoveryCodes = await renewRecoveryCodes(deps, request.actor);
    return null;
  },

  'create set-up link': async (deps, _, secrets) => {
    secrets.token = await createSetUpLink(deps);
    return secrets.token === undefined ? 'nothing' : 'a link';
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
  'cut activity': async (deps, { days }) => {
    const { problems } = await cutActivity(deps, days);
    return { problems };
  },
  'rebuild indexes': (deps) => nothing(rebuildIndexes(deps, OPERATOR)),
  'renew epoch': (deps) => nothing(renewEpoch(deps)),
  'remove expired': (deps) => nothing(removeExpired(deps).then(() => removeOldUsage(deps))),
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

/** As the console stores it and the service then makes it. */
async function changeAll(deps: Deps, request: RequestTo<'change all that match'>): Promise<unknown> {
  const { workspaceId, actor, from, requestStatus, groupName, status, reason, clientsAtOnce } = request;
  const selection = { search: { requestStatuses: from && [from] } };
  const change = { selection, patch: { requestStatus, groupName, status }, reason, runAs: actor };
  const searchQueue = new SearchQueue({ atOnce: 1, waitingPerMember: 0, waitingInAll: 0, waitMs: 0 });
  const searcher = { memberId: 0, signal: new AbortController().signal };
  const { id } = await startBulkChange({ ...deps, searchQueue }, { workspaceId, actor }, change, searcher);
  const onDefect = (error: unknown) => {
    throw error;
  };
  const runner = new BulkChangeRunner({ ...deps, clientsAtOnce, onDefect });
  for (;;) {
    const { endedAt, changed, refused } = await findBulkChange(deps, workspaceId, id);
    if (endedAt === null) await nextTurn();
    else {
      await runner.stop();
      return { changed, refused };
    }
  }
}

/** Real imports are split into parts of thousands of rows. */
function inPieces(deps: Deps, { rowsAtOnce }: { rowsAtOnce: number }): Deps {
  return { ...deps, clients: { ...deps.clients, rowsAtOnce } };
}

function codeOf(code: Code, at: number): string {
  if (code === 'none') return 'no code';
  return 'recovery' in code ? code.recovery : codeAt(code.secret, at);
}

/** The session of a browser that is signed in, as far as requests need it. */
function sessionOf({ sessionId, actor }: { sessionId: string; actor: ActingMember }): SignedInSession {
  const { accountId, memberId, name: email, role } = actor;
  // As if the member had just proved that it is them.
  const times = { createdAt: 0, provedAt: Number.MAX_SAFE_INTEGER, seenAt: 0 };
  const settings = { requiresDeclineReason: false, requiresSecondFactor: false, viewersMayExport: false };
  const unused = { accountName: '', hasSecondFactor: false, hasPasskey: false, settings, tokenHash: '' };
  return { id: sessionId, accountId, memberId, email, role, ...unused, ...times, ...ORIGIN };
}

function revoked(key: { id: string; revokedAt: number | null }) {
  return { keyId: key.id, revokedAt: key.revokedAt };
}

async function nothing(work: Promise<unknown>): Promise<null> {
  await work;
  return null;
}
