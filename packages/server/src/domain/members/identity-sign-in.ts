import type { ChangeAccount } from '../change.ts';
import { Failure } from '../failure.ts';
import type { SigningDeps } from '../installation-secrets.ts';
import { fold } from '../text.ts';
import type { Credentials, LockedCredentials, Membership } from './credentials.ts';
import { type CodeChanges, useCode } from './entered-code.ts';
import type { Identities, Identity, IdentityChanges, IdentityOwner } from './identity.ts';
import { type MailChanges, tellByMail } from './mail.ts';
import type { Members } from './manage-members.ts';
import type { Member } from './member.ts';
import type { PasskeyChanges } from './passkey.ts';
import type { Origin, SessionChanges } from './session.ts';
import { isNewDevice, isStrongest, type SignInDeps, startSession, withCode } from './sign-in.ts';
import { sourcesOfProvider } from './sign-in-attempts.ts';
import { readNote, signNote } from './signed-note.ts';

const PENDING = 'pending sign-ins';
const CHOICE = 'choices of an account';
const PENDING_MS = 300_000;

export interface IdentitySignInDeps extends SignInDeps, SigningDeps {
  identities: Identities;
  members: Members;
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

/**
 * A session, or a note for a member who still has to show their second factor, or for somebody who is a member of several
 * accounts and still has to choose one.
 */
export type IdentitySignIn =
  | { kind: 'signed-in'; token: string; member: Member }
  | { kind: 'code-needed'; pending: string }
  | { kind: 'several-accounts'; choice: string };

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
  const [owner, another] = await ownersOf(deps, identity);
  if (!owner) {
    deps.refusals.note(undefined, origin.address, deps.clock.now(), 'service');
    throw unknownIdentity();
  }
  if (another) return { kind: 'several-accounts', choice: await makeChoice(deps, identity) };
  return signInAs(deps, identity, owner, origin);
}

/** The accounts of which somebody whom the sign-in service has named can choose one. */
export async function accountsToChoose(
  deps: IdentitySignInDeps,
  choice: string | undefined,
): Promise<{ id: number; name: string }[]> {
  const owners = await ownersOf(deps, await readChoice(deps, choice));
  return owners.map(({ member, accountName }) => ({ id: member.accountId, name: accountName }));
}

export async function chooseAccount(
  deps: IdentitySignInDeps,
  choice: string | undefined,
  accountId: number,
  origin: Origin,
): Promise<IdentitySignIn> {
  const identity = await readChoice(deps, choice);
  const owner = (await ownersOf(deps, identity)).find(({ member }) => member.accountId === accountId);
  if (!owner) throw unknownIdentity();
  return signInAs(deps, identity, owner, origin);
}

async function signInAs(
  deps: IdentitySignInDeps,
  identity: Identity,
  owner: Owner,
  origin: Origin,
): Promise<IdentitySignIn> {
  const { member } = owner;
  if (!owner.isLinked && !(await link(deps, identity, member, origin.address))) throw unknownIdentity();
  if (member.hasSecondFactor) return { kind: 'code-needed', pending: await makePending(deps, member) };
  return { kind: 'signed-in', token: await start(deps, owner, origin), member };
}

/** Completes the sign-in with a code of the authenticator app, or a recovery code. */
export async function completeSignIn(
  deps: IdentitySignInDeps,
  pending: string | undefined,
  code: string,
  origin: Origin,
): Promise<{ token: string; member: Member }> {
  const owner = await readPending(deps, pending);
  const found = owner && (await deps.credentials.byId(owner.accountId, owner.memberId));
  if (!found) throw tookTooLong();
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
  return { token, member };
}

interface Owner extends Membership {
  /** Whether the identity belongs to the member already. */
  isLinked: boolean;
}

/**
 * The members whom the identity belongs to, and those whom it can still be given to: they have its verified email. If one of
 * these has another identity of the service, the email has got another owner there, who gets only what they were invited to
 * afterwards.
 */
async function ownersOf(deps: IdentitySignInDeps, identity: Identity): Promise<Owner[]> {
  const linked: Owner[] = [];
  for (const { accountId, memberId } of await deps.identities.find(identity)) {
    const found = await deps.credentials.byId(accountId, memberId);
    if (found) linked.push({ ...found, accountName: await deps.members.accountName(accountId), isLinked: true });
  }
  const { email = '', issuer } = identity;
  const others: Owner[] = [];
  let formerOwnerUntil = 0;
  for (const found of email === '' ? [] : await deps.credentials.byEmail(fold(email))) {
    const { accountId, id: memberId } = found.member;
    if (linked.some(({ member }) => member.accountId === accountId)) continue;
    if (!isSameMailbox(found.member.email, email)) continue;
    const linkedAt = await deps.identities.linkedAt({ accountId, memberId }, issuer);
    if (linkedAt === undefined) others.push({ ...found, isLinked: false });
    else formerOwnerUntil = Math.max(formerOwnerUntil, linkedAt);
  }
  return [...linked, ...others.filter(({ member }) => member.createdAt > formerOwnerUntil)];
}

async function start(deps: IdentitySignInDeps, found: Credentials, origin: Origin): Promise<string> {
  const { member } = found;
  const isNew = await isNewDevice(deps, member, origin);
  // The service may have asked for the password hours ago.
  const token = await startSession(deps, member, origin, { checked: found, isNewDevice: isNew, isProof: false });
  if (token === undefined) throw unknownIdentity();
  return token;
}

/** Returns false if another request has given the member an identity meanwhile. */
function link(
  deps: IdentitySignInDeps,
  identity: Identity,
  { id, accountId, email }: Member,
  address: string,
): Promise<boolean> {
  const { issuer } = identity;
  return deps.changeAccount({ accountId, actor: { name: email, address }, at: deps.clock.now() }, async (change) => {
    if (!(await change.identities.add(id, identity))) return false;
    await tellByMail(deps, change, email, { kind: 'identity-linked', address, name: issuer });
    change.record('profile.identity-linked', issuer);
    return true;
  });
}

/** Letters of other alphabets that count as the same elsewhere may make another mailbox. */
function isSameMailbox(a: string, b: string): boolean {
  const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return lower(a) === lower(b);
}

function makePending(deps: IdentitySignInDeps, { accountId, id }: Member): Promise<string> {
  return signNote(deps, PENDING, `${accountId}.${id}`, PENDING_MS);
}

function makeChoice(deps: IdentitySignInDeps, { issuer, subject, email }: Identity): Promise<string> {
  return signNote(deps, CHOICE, JSON.stringify([issuer, subject, email ?? null]), PENDING_MS);
}

async function readChoice(deps: IdentitySignInDeps, choice: string | undefined): Promise<Identity> {
  const note = await readNote(deps, CHOICE, choice);
  if (note === undefined) throw tookTooLong();
  const [issuer, subject, email] = JSON.parse(note);
  return { issuer, subject, email: email ?? undefined };
}

function tookTooLong(): Failure {
  return new Failure('not_signed_in', 'This took too long. Sign in again.');
}

async function readPending(deps: IdentitySignInDeps, pending: string | undefined): Promise<IdentityOwner | undefined> {
  const [accountId, memberId] = (await readNote(deps, PENDING, pending))?.split('.').map(Number) ?? [];
  return accountId === undefined || memberId === undefined ? undefined : { accountId, memberId };
}

function unknownIdentity(): Failure {
  return new Failure('not_signed_in', 'No member has this email, or it is not verified. Ask for an invitation first.');
}
