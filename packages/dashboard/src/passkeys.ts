import {
  PASSKEY_ALGORITHMS,
  type PasskeyOffer,
  type PasskeyRequest,
  type PasskeyUse,
} from '#contract/members/index.ts';
import { ApiError, callConsole } from './api.ts';

// The package that speaks to authenticators is loaded when somebody uses one, to keep the first page small.

/** Lets the person choose and use one of their passkeys. The answer is what the console checks. */
export async function askForPasskey(): Promise<PasskeyUse> {
  const { challenge, relying_party: rpId } = await callConsole<PasskeyRequest>('POST', '/passkey');
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { id, response } = await startAuthentication({
    optionsJSON: { challenge, rpId, userVerification: 'required' },
  });
  return {
    id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  };
}

/** Makes a passkey on a device or in a password manager of the person. */
export async function makePasskey(offer: PasskeyOffer) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge: offer.challenge,
      rp: { id: offer.relying_party, name: 'Rollcall' },
      user: { id: offer.user_id, name: nameOf(offer), displayName: nameOf(offer) },
      pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: offer.known_ids.map((known) => ({ type: 'public-key', id: known })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    },
  });
  return {
    id,
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
  };
}

/** What went wrong, in words for the person. */
export function passkeyProblem(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  const { name = '' } = error instanceof Error ? error : {};
  if (name === 'InvalidStateError') return 'This device already has a passkey for you.';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'No passkey was used. Try again, or use another way.';
  return 'This browser cannot use passkeys here.';
}

/** The account tells the passkeys of somebody apart who is a member of several. */
function nameOf({ email, account_name }: PasskeyOffer): string {
  return `${email} (${account_name})`;
}
