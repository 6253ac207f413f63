import { type ChangeInstallation, type InstallationRecorder, OPERATOR } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { type InstallationSecrets, type SealedChanges, sealingSecret } from '../installation-secrets.ts';
import type { InstallationSecret } from '../sealed-text.ts';
import {
  endOf,
  makeSigningKey,
  nextOf,
  type SigningKeyChanges,
  type SigningKeyStore,
  type SigningTimes,
  type StoredSigningKey,
  signerAt,
} from './signing-key.ts';

/** All nodes have loaded a key long before the first token is signed with it, even one that was made a moment ago. */
const SIGNS_AFTER_MS = 10_000;

const DAY_MS = 86_400_000;

interface KeyParts {
  signingKeys: SigningKeyChanges;
  sealed: SealedChanges;
}

export interface ManageSigningKeysDeps {
  signingKeys: SigningKeyStore;
  secrets: InstallationSecrets;
  changeInstallation: ChangeInstallation<KeyParts>;
  clock: Clock;
}

export interface ListedSigningKey {
  kid: string;
  createdAt: number;
  state: 'next' | 'current' | 'earlier';
  /** When it begins, or began, to sign. */
  signsFrom: number | null;
  /** When an earlier key is deleted, because its last token has expired. */
  endsAt: number | null;
}

export async function listSigningKeys(deps: {
  signingKeys: SigningKeyStore;
  clock: Clock;
}): Promise<ListedSigningKey[]> {
  const keys = await deps.signingKeys.all();
  const current = signerAt(keys, deps.clock.now());
  const currentIndex = current ? keys.indexOf(current) : keys.length;
  return keys.map((key, index) => {
    const isEarlier = index < currentIndex || key.sealedPrivateJwk === null;
    return {
      kid: key.kid,
      createdAt: key.createdAt,
      state: key === current ? 'current' : isEarlier ? 'earlier' : 'next',
      signsFrom: key.signsFrom,
      endsAt: isEarlier ? (endOf(keys, key) ?? null) : null,
    };
  });
}

/** Makes a key that signs at once and the next key, unless they exist. If several nodes start at once, one of them does it. */
export function provideSigningKeys(deps: ManageSigningKeysDeps): Promise<void> {
  return changeKeys(deps, async (change, secret, at) => {
    const keys = await change.all();
    if (!signerAt(keys, at)) await addKey(change, await makeSigningKey(secret, at, at));
    if (!nextOf(keys)) await addKey(change, await makeSigningKey(secret, at, null));
  });
}

/** Lets the next key sign a little later, and makes another one. Tokens of earlier keys stay valid until they expire. */
export function rotateSigningKey(deps: ManageSigningKeysDeps): Promise<{ kid: string; signsFrom: number }> {
  return changeKeys(deps, rotate);
}

/** The same on a schedule, when the key that signs has done so for this many days. Only one of several nodes does it. */
export async function rotateSigningKeyIfDue(deps: ManageSigningKeysDeps, days: number): Promise<void> {
  if (!isDue(await deps.signingKeys.all(), deps.clock.now(), days)) return;
  await changeKeys(deps, async (change, secret, at) => {
    if (isDue(await change.all(), at, days)) await rotate(change, secret, at);
  });
}

/** Deletes the earlier keys whose last token has expired. */
export async function removeEndedSigningKeys(deps: ManageSigningKeysDeps): Promise<void> {
  const at = deps.clock.now();
  if (endedAt(await deps.signingKeys.all(), at).length === 0) return;
  await deps.changeInstallation({ actor: OPERATOR, at }, async (change) => {
    for (const { kid } of endedAt(await change.signingKeys.all(), at)) {
      await change.signingKeys.remove(kid);
      change.recordInstallation('signing-key.removed', kid);
    }
  });
}

/** Removes a key within a change to the installation. */
export async function removeLeakedKey(
  change: KeyParts & Pick<InstallationRecorder, 'recordInstallation'>,
  secrets: InstallationSecrets,
  { kid, at }: { kid: string; at: number },
): Promise<void> {
  const { signingKeys, sealed, recordInstallation } = change;
  const keys = await signingKeys.all();
  const leaked = keys.find((key) => key.kid === kid);
  if (!leaked) {
    throw new Failure(
      'not_found',
      `There is no signing key ${kid}. \`rollcall signing-key list\` shows all signing keys.`,
    );
  }
  if (leaked === signerAt(keys, at)) {
    throw new Failure(
      'conflict',
      'This key is used to sign new tokens. Run `rollcall signing-key rotate`, and retire this key when the new one is in use, ten seconds later.',
    );
  }
  await signingKeys.remove(kid);
  recordInstallation('signing-key.retired', kid);
  if (leaked !== nextOf(keys)) return;
  await addKey(
    { ...signingKeys, recordInstallation },
    await makeSigningKey(await sealingSecret(secrets, sealed), at, null),
  );
}

/** Replaces all keys within a change to the installation. Every token becomes invalid. Returns the key that signs from now on. */
export async function replaceSigningKeys(
  change: SigningKeyChanges,
  secret: InstallationSecret,
  at: number,
): Promise<StoredSigningKey> {
  for (const { kid } of await change.all()) await change.remove(kid);
  const signer = await makeSigningKey(secret, at, at);
  await change.add(signer);
  await change.add(await makeSigningKey(secret, at, null));
  return signer;
}

type RecordedKeyChanges = SigningKeyChanges & Pick<InstallationRecorder, 'recordInstallation'>;

async function addKey(change: RecordedKeyChanges, key: StoredSigningKey): Promise<void> {
  await change.add(key);
  change.recordInstallation('signing-key.made', key.kid);
}

function changeKeys<T>(
  { secrets, changeInstallation, clock }: ManageSigningKeysDeps,
  work: (change: RecordedKeyChanges, secret: InstallationSecret, at: number) => Promise<T>,
): Promise<T> {
  const at = clock.now();
  return changeInstallation({ actor: OPERATOR, at }, async ({ signingKeys, sealed, recordInstallation }) =>
    work({ ...signingKeys, recordInstallation }, await sealingSecret(secrets, sealed), at),
  );
}

async function rotate(change: RecordedKeyChanges, secret: InstallationSecret, at: number) {
  const signsFrom = at + SIGNS_AFTER_MS;
  const next = nextOf(await change.all());
  const signing = next ?? (await makeSigningKey(secret, at, signsFrom));
  if (next) await change.setSignsFrom(next.kid, signsFrom);
  else await addKey(change, signing);
  change.recordInstallation('signing-key.rotated', signing.kid);
  await addKey(change, await makeSigningKey(secret, at, null));
  return { kid: signing.kid, signsFrom };
}

/** Counted from the newest key that signs or is about to, so that a rotation that has begun is not repeated. */
function isDue(keys: readonly SigningTimes[], now: number, days: number): boolean {
  const newest = keys.findLast((key) => key.signsFrom !== null && key.sealedPrivateJwk !== null);
  return newest?.signsFrom != null && newest.signsFrom + days * DAY_MS <= now;
}

function endedAt(keys: readonly StoredSigningKey[], now: number): StoredSigningKey[] {
  return keys.filter((key) => (endOf(keys, key) ?? Number.POSITIVE_INFINITY) <= now);
}
