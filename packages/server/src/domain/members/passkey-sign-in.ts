import { Failure, isFailure } from '../failure.ts';
import type { SigningDeps } from '../installation-secrets.ts';
import type { ActingMember, Member } from './member.ts';
import type { Passkey, PasskeyChanges, Passkeys } from './passkey.ts';
import { makeChallenge } from './passkey-challenge.ts';
import type { Origin } from './session.ts';
import { changedMeanwhile, isNewDevice, type ProvedSession, prove, type SignInDeps, startSession } from './sign-in.ts';
import { sourcesOfPasskey } from './sign-in-attempts.ts';
import {
  type PasskeyAnswer,
  type PasskeyProof,
  type RelyingParty,
  verifyAnswer,
  wrongPasskey,
} from './verify-passkey.ts';

export interface PasskeySignInDeps extends SignInDeps, SigningDeps {
  passkeys: Passkeys;
}

/** The challenge for whoever wants to use a passkey. Which one that is, the authenticator knows. */
export function askForPasskey(deps: PasskeySignInDeps): Promise<string> {
  return makeChallenge(deps, 'use', deps.clock.now());
}

/**
 * Signs in without a password. The authenticator has verified its user, so a passkey stands for two factors. Returns the token
 * of a new session.
 */
export async function signInWithPasskey(
  deps: PasskeySignInDeps,
  party: RelyingParty,
  answer: PasskeyAnswer,
  origin: Origin,
): Promise<{ token: string; member: Member }> {
  const passkey = await deps.passkeys.find(answer.id);
  const found = passkey && (await deps.credentials.byId(passkey.accountId, passkey.memberId));
  const noteRefusal = () => deps.refusals.note(found?.member, origin.address, deps.clock.now(), 'passkey');
  if (!found) {
    noteRefusal();
    throw unknownPasskey();
  }
  const proof = await checkAnswer(deps, party, passkey, answer, noteRefusal);
  const { member } = found;
  const isNew = await isNewDevice(deps, member, origin);
  const use = ({ passkeys }: { passkeys: PasskeyChanges }) => usePasskey(passkeys, proof);
  const token = await startSession(deps, member, origin, { isNewDevice: isNew, use });
  if (token === undefined) {
    noteRefusal();
    throw unknownPasskey();
  }
  return { token, member };
}

/** Shows that the member is at the keyboard. Returns a new token for the session, unless another request has just replaced it. */
export async function proveWithPasskey(
  deps: PasskeySignInDeps,
  party: RelyingParty,
  session: ProvedSession,
  actor: ActingMember,
  answer: PasskeyAnswer,
): Promise<string | undefined> {
  const passkey = await deps.passkeys.find(answer.id);
  const proof = passkey && (await checkAnswer(deps, party, passkey, answer));
  const found = await deps.credentials.byId(actor.accountId, actor.memberId);
  if (!found) throw changedMeanwhile();
  if (proof?.passkey.memberId !== actor.memberId) throw wrongPasskey();
  const proved = await prove(deps, session, actor, found, ({ passkeys }) => usePasskey(passkeys, proof));
  if (!proved) throw wrongPasskey();
  return proved.token;
}

/** Attempts at one passkey are slowed down. Calls `onWrong` if the answer is not right, and not if it has to wait. */
async function checkAnswer(
  deps: PasskeySignInDeps,
  party: RelyingParty,
  passkey: Passkey,
  answer: PasskeyAnswer,
  onWrong?: () => void,
): Promise<PasskeyProof> {
  const now = deps.clock.now();
  const attempt = await deps.attempts.begin(sourcesOfPasskey(passkey.id), now);
  const proof = await verifyAnswer(deps, party, passkey, answer, now).catch((error) => {
    // Not if the database cannot be reached.
    if (isFailure(error, 'bad_parameter')) onWrong?.();
    throw error;
  });
  await attempt.succeeded();
  return proof;
}

/** Uses up the challenge. Returns false if it was answered before, or the passkey does not exist any more. */
export async function usePasskey(
  passkeys: PasskeyChanges,
  { passkey, counter, challenge }: PasskeyProof,
): Promise<boolean> {
  return (await passkeys.answerChallenge(challenge)) && (await passkeys.use(passkey, counter));
}

function unknownPasskey(): Failure {
  return new Failure('not_signed_in', 'This passkey is not known here. It may have been removed.');
}
