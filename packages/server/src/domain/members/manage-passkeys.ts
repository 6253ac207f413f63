import { Failure } from '../failure.ts';
import { currentSecret } from '../installation-secrets.ts';
import { hashSecret } from '../secret.ts';
import { requireName } from '../text.ts';
import { tellByMail } from './mail.ts';
import { giveRecoveryCodes, type ManageProfileDeps, requireLongPassword } from './manage-profile.ts';
import type { ActingMember } from './member.ts';
import type { Passkey } from './passkey.ts';
import { makeChallenge } from './passkey-challenge.ts';
import type { PasskeySignInDeps } from './passkey-sign-in.ts';
import { newSessionToken, type SignedInSession } from './session.ts';
import { changedMeanwhile, checkPassword, hasSameCredentials } from './sign-in.ts';
import { type NewPasskeyAnswer, type RelyingParty, verifyNewPasskey, wrongPasskey } from './verify-passkey.ts';

/** Enough for all devices of a person. */
const PASSKEYS_MAX = 10;

export type ManagePasskeysDeps = ManageProfileDeps & PasskeySignInDeps;

/** What an authenticator needs to make a passkey for the member, except the one it has made before. */
export async function offerPasskey(
  deps: ManagePasskeysDeps,
  { accountId, memberId }: ActingMember,
): Promise<{ challenge: string; userId: string; known: Passkey[] }> {
  const known = await deps.passkeys.list(accountId, memberId);
  requireRoom(known);
  // Not the number of the member: authenticators replace a passkey of the same host and user, maybe of another installation.
  const userId = (await currentSecret(deps)).sign('users of passkeys', String(memberId));
  return { challenge: await makeChallenge(deps, `add to ${memberId}`, deps.clock.now()), userId, known };
}

/**
 * Adds a passkey and ends the member's other sessions. Returns recovery codes, if it is the first second factor, and a new token
 * for this session, unless another request has just replaced it.
 */
export async function addPasskey(
  deps: ManagePasskeysDeps,
  party: RelyingParty,
  session: Pick<SignedInSession, 'id' | 'tokenHash'>,
  actor: ActingMember,
  request: { name: string; answer: NewPasskeyAnswer },
): Promise<{ codes: string[]; token: string | undefined }> {
  const { accountId, memberId, address } = actor;
  const name = requireName(request.name);
  const at = deps.clock.now();
  const { passkey, challenge } = await verifyNewPasskey(deps, party, memberId, request.answer, at);
  const token = newSessionToken();
  return deps.changeAccount({ accountId, actor, at }, async (change) => {
    requireRoom(await change.passkeys.list(memberId));
    const isFirst = !(await change.credentials.byId(memberId))?.member.hasSecondFactor;
    if (!(await change.passkeys.answerChallenge(challenge))) throw wrongPasskey();
    const added = { ...passkey, accountId, memberId, name, createdAt: at, usedAt: null };
    if (!(await change.passkeys.add(added))) throw new Failure('conflict', 'This passkey was added before.');
    await change.sessions.endOthers(memberId, session.id);
    await tellByMail(deps, change, actor.name, { kind: 'passkey-added', address, name });
    change.record('profile.passkey-added', name);
    const isReplaced = await change.sessions.prove(memberId, session, hashSecret(token));
    const codes = isFirst ? await giveRecoveryCodes(change.profiles, memberId) : [];
    return { codes, token: isReplaced ? token : undefined };
  });
}

/**
 * The member has shown within the last minutes that they have a passkey or a recovery code. If no second factor is left, the
 * password must be long enough without one, and its length is known only when it is entered.
 */
export async function removePasskey(
  deps: ManagePasskeysDeps,
  actor: ActingMember,
  { id, password }: { id: string; password: string },
): Promise<void> {
  const { accountId, memberId, address } = actor;
  const checked = await checkPassword(deps, actor, password);
  await deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    if (!hasSameCredentials(await change.credentials.byId(memberId), checked)) throw changedMeanwhile();
    const removed = await change.passkeys.remove(memberId, id);
    if (!removed) throw new Failure('not_found', 'There is no such passkey.');
    const left = await change.credentials.byId(memberId);
    if (!left?.member.hasSecondFactor) {
      requireLongPassword(password);
      await change.profiles.setRecoveryCodes(memberId, []);
    }
    await tellByMail(deps, change, actor.name, { kind: 'passkey-removed', address, name: removed.name });
    change.record('profile.passkey-removed', removed.name);
  });
}

function requireRoom(known: readonly Passkey[]): void {
  if (known.length < PASSKEYS_MAX) return;
  throw new Failure('conflict', `You can have at most ${PASSKEYS_MAX} passkeys. Remove one first.`);
}
