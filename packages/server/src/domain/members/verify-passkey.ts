import { Failure } from '../failure.ts';
import type { SigningDeps } from '../installation-secrets.ts';
import { type AnsweredChallenge, PASSKEY_ALGORITHMS, type Passkey } from './passkey.ts';
import { type ChallengePurpose, readChallenge } from './passkey-challenge.ts';

/** Where passkeys belong: the host name of the dashboard. A browser uses a passkey only on pages of its host. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** What an authenticator answers when a passkey is used, in base64url. */
export interface PasskeyAnswer {
  id: string;
  clientData: string;
  authenticatorData: string;
  signature: string;
}

/** What an authenticator answers when a passkey is made, in base64url. */
export interface NewPasskeyAnswer {
  id: string;
  clientData: string;
  attestation: string;
}

/** The proof that a passkey was used. It holds once. */
export interface PasskeyProof {
  passkey: Passkey;
  counter: number;
  challenge: AnsweredChallenge;
}

// The package is loaded when somebody uses a passkey, because it is large, and commands should start quickly.

/** Checks the signature, and that the authenticator has verified its user. */
export async function verifyAnswer(
  deps: SigningDeps,
  { id, origin }: RelyingParty,
  passkey: Passkey,
  answer: PasskeyAnswer,
  now: number,
): Promise<PasskeyProof> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { challenge, isExpected } = expectChallenge(deps, 'use', now);
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: answer.id,
      rawId: answer.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: answer.clientData,
        authenticatorData: answer.authenticatorData,
        signature: answer.signature,
      },
    },
    expectedChallenge: isExpected,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(refused);
  const answered = challenge();
  if (!verified || !answered) throw wrongPasskey();
  return { passkey, counter: authenticationInfo.newCounter, challenge: answered };
}

export interface MadePasskey {
  passkey: Pick<Passkey, 'id' | 'publicKey' | 'counter'>;
  challenge: AnsweredChallenge;
}

export async function verifyNewPasskey(
  deps: SigningDeps,
  { id, origin }: RelyingParty,
  memberId: number,
  answer: NewPasskeyAnswer,
  now: number,
): Promise<MadePasskey> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  await requireNoCertificates(answer.attestation);
  const { challenge, isExpected } = expectChallenge(deps, `add to ${memberId}`, now);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: answer.id,
      rawId: answer.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: answer.clientData, attestationObject: answer.attestation },
    },
    expectedChallenge: isExpected,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
  }).catch(refused);
  const answered = challenge();
  if (!verified || !answered) throw wrongPasskey();
  const { credential } = registrationInfo;
  if (credential.id !== answer.id || !isIdLength(Buffer.from(credential.id, 'base64url').length)) throw wrongPasskey();
  const publicKey = Buffer.from(credential.publicKey).toString('base64url');
  return {
    passkey: { id: credential.id, publicKey, counter: credential.counter },
    challenge: answered,
  };
}

/**
 * Nobody asks who has made the authenticator, so no certificates are expected. They must not reach the package: it would fetch
 * the lists of revoked ones from whatever address they name.
 */
async function requireNoCertificates(attestation: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  let isWithout = false;
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, 'base64url')));
    const format = decoded.get('fmt');
    isWithout = format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  } catch (error) {
    // It may be anything.
    throw wrongPasskey(error);
  }
  if (!isWithout) throw wrongPasskey();
}

/** As the standard says: long enough to be unique, and not longer than any table can index. */
function isIdLength(bytes: number): boolean {
  return bytes >= 16 && bytes <= 1023;
}

/** The package asks whether a challenge is the expected one, and we have to know which one it was. */
function expectChallenge(deps: SigningDeps, purpose: ChallengePurpose, now: number) {
  let answered: AnsweredChallenge | undefined;
  return {
    challenge: () => answered,
    isExpected: async (challenge: string) => {
      answered = await readChallenge(deps, purpose, challenge, now);
      return answered !== undefined;
    },
  };
}

/** The package throws an error for whatever is wrong with an answer. Only failures of ours go on. */
function refused(error: unknown): never {
  if (error instanceof Failure) throw error;
  throw wrongPasskey(error);
}

export function wrongPasskey(cause?: unknown): Failure {
  return new Failure('bad_parameter', 'passkey was not accepted. Try again, or use another way.', { cause });
}
