import type { ChangeAccount } from '../change.ts';
import { Failure } from '../failure.ts';
import type { SigningDeps } from '../installation-secrets.ts';
import { fold } from '../text.ts';
import { type CodeChanges, useCode } from './entered-code.ts';
import type { Identities, Identity, IdentityChanges, IdentityOwner } from './identity.ts';
import { type MailChanges, tellByMail } from './mail.ts';
import type { PasskeyChanges } from './passkey.ts';
import type { Origin, SessionChanges } from './session.ts';
import {
  type Credentials,
  isNewDevice,
  isStrongest,
  type LockedCredentials,
  type SignInDeps,
  startSession,
  withCode,
} from './sign-in.ts';
import { sourcesOfProvider } from './sign-in-attempts.ts';
import { readNote, signNote } from './signed-note.ts';

const PENDING = 'pending sign-ins';
const PENDING_MS = 300_000;

export interface IdentitySignInDeps extends SignInDeps, SigningDeps {
  identities: Identities;
  changeAccount: ChangeAccount<{
    identities: IdentityChanges;
    sessions: SessionChanges;
    codes: CodeChanges;
    credentials: LockedCredentials;
    mails: MailChanges;
    passkeys: PasskeyChanges;
  }>;
}

/** Asks the service about an answer. Made-up answers are slowed down, so that nobody can make us flood the service. */
export async function askProvider(
  deps: IdentitySignInDeps,
  ask: () => Promise<Identity | undefined>,
  address: string,
): Promise<Identity | undefined> {
  const attempt = await deps.attempts.begin(sourcesOfProvider(address), deps.clock.now());
  const identity = await ask();
  if (identity) await attempt.succeeded();
  return identity;
}

/** A session, or a note for a member who still has to show their second factor. */
export type IdentitySignIn = { token: string; email: string } | { pending: string };

/**
 * Signs in a member whom the sign-in service has named. The first time, the member is found by the verified email, and the
 * identity belongs to them from then on. Nobody becomes a member this way, and it replaces the password only: whoever has a
 * second factor needs it here, too.
 */
export async function signInWithIdentity(
  deps: IdentitySignInDeps,
  identity: Identity,
  origin: Origin,
): Promise<IdentitySignIn> {
  const owner = (await deps.identities.find(identity)) ?? (await link(deps, identity, origin.address));
  const found = owner && (await deps.credentials.byId(owner.accountId, owner.memberId));
  if (!found) throw unknownIdentity();
  if (found.member.hasSecondFactor) return { pending: await makePending(deps, owner) };
  return { token: await start(deps, found, origin), email: found.member.email };
}

/** Completes the sign-in with a code of the authenticator app, or a recovery code. */
export async function completeSignIn(
  deps: IdentitySignInDeps,
  pending: string | undefined,
  code: string,
  origin: Origin,
): Promise<{ token: string; email: string }> {
  const owner = await readPending(deps, pending);
  const found = owner && (await deps.credentials.byId(owner.accountId, owner.memberId));
  if (!found) throw new Failure('not_signed_in', 'This took too long. Sign in again.');
  const { member } = found;
  const isNew = await isNewDevice(deps, member, origin);
  const wrong = new Failure('not_signed_in', 'The code is not correct.');
  const token = await withCode(deps, found, { code, address: origin.address, wrong }, (entered) =>
    startSession(deps, member, origin, {
      checked: found,
      isNewDevice: isNew,
      isProof: isStrongest(found, entered),
      use: (change) => useCode(change, member, entered),
    }),
  );
  return { token, email: member.email };
}

async function start(deps: IdentitySignInDeps, found: Credentials, origin: Origin): Promise<string> {
  const { member } = found;
  const isNew = await isNewDevice(deps, member, origin);
  // The service may have asked for the password hours ago.
  const token = await startSession(deps, member, origin, { checked: found, isNewDevice: isNew, isProof: false });
  if (token === undefined) throw unknownIdentity();
  return token;
}

async function link(deps: IdentitySignInDeps, identity: Identity, address: string): Promise<IdentityOwner | undefined> {
  const { email, issuer } = identity;
  const found = email === undefined ? undefined : await deps.credentials.byEmail(fold(email));
  if (!found || !isSameMailbox(found.member.email, email ?? '')) return undefined;
  const { id: memberId, accountId } = found.member;
  const actor = { name: found.member.email, address };
  const isLinked = await deps.changeAccount({ accountId, actor, at: deps.clock.now() }, async (change) => {
    const isAdded = await change.identities.add(memberId, identity);
    if (!isAdded) return false;
    await tellByMail(deps, change, found.member.email, { kind: 'identity-linked', address, name: issuer });
    change.record('profile.identity-linked', issuer);
    return true;
  });
  return isLinked ? { accountId, memberId } : undefined;
}

/** Letters of other alphabets that count as the same elsewhere may make another mailbox. */
function isSameMailbox(a: string, b: string): boolean {
  const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return lower(a) === lower(b);
}

function makePending(deps: IdentitySignInDeps, { accountId, memberId }: IdentityOwner): Promise<string> {
  return signNote(deps, PENDING, `${accountId}.${memberId}`, PENDING_MS);
}

async function readPending(deps: IdentitySignInDeps, pending: string | undefined): Promise<IdentityOwner | undefined> {
  const [accountId, memberId] = (await readNote(deps, PENDING, pending))?.split('.').map(Number) ?? [];
  return accountId === undefined || memberId === undefined ? undefined : { accountId, memberId };
}

function unknownIdentity(): Failure {
  return new Failure('not_signed_in', 'No member has this email, or it is not verified. Ask for an invitation first.');
}
