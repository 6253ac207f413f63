import { type ChangeInstallation, OPERATOR } from './change.ts';
import type { Clock } from './clock.ts';
import { publicForm, replaceSigningKeys, type SigningKeyChanges, signerOf } from './credentials/index.ts';
import { Failure } from './failure.ts';
import {
  type InstallationSecrets,
  type SealedChanges,
  type SealedState,
  SecretUnavailable,
  sealingSecret,
} from './installation-secrets.ts';
import { type AccountCreation, type CutChanges, type SecondFactorChanges, signAgain } from './members/index.ts';

export interface PrepareSecretDeps {
  secrets: InstallationSecrets;
  sealed: SealedState;
  changeInstallation: ChangeInstallation<{ sealed: SealedChanges }>;
  clock: Clock;
}

/**
 * Makes sure that this process has the secret of the database, before anything needs it. A database that has no secret yet
 * gets one, and what was stored in it before encryption is sealed. A rotation that was interrupted is completed.
 */
export async function prepareSecret(deps: PrepareSecretDeps): Promise<void> {
  const { secrets, changeInstallation, clock } = deps;
  const id = await deps.sealed.secretId();
  if (id === null) {
    await changeInstallation({ actor: OPERATOR, at: clock.now() }, (change) => sealingSecret(secrets, change.sealed));
    return;
  }
  requireSecret(secrets, id);
  secrets.complete(id);
}

/** Fails if the secret of a database is not there, and says whether it is another one or missing. */
export function requireSecret(secrets: InstallationSecrets, id: string): void {
  try {
    secrets.byId(id);
  } catch (error) {
    if (!secrets.isMissing || !(error instanceof SecretUnavailable)) throw error;
    throw new SecretUnavailable(
      'conflict',
      `The secret that encrypted the signing keys and second factors in this database is missing (its id is ${id}). Provide it in ${secrets.placeFor(id)}, or, if it is lost, run \`rollcall secret reset\`.`,
      { cause: error },
    );
  }
}

/** Whether this process has the secret of the database, so that nothing forces a reset. */
export async function hasSecret({ secrets, sealed }: Pick<PrepareSecretDeps, 'secrets' | 'sealed'>): Promise<boolean> {
  const id = await sealed.secretId();
  if (id === null) return false;
  try {
    secrets.byId(id);
    return true;
  } catch (error) {
    // A file that does not contain a secret is a reason for a reset, too.
    if (error instanceof Failure) return false;
    throw error;
  }
}

/**
 * Encrypts everything again, with the next secret, in one change. Running services go on with what they have in memory, and
 * look for the new secret when they need it. Returns where the former secret is kept, if it is kept in a file.
 */
export async function rotateSecret(deps: PrepareSecretDeps): Promise<{ id: string; keptIn: string | undefined }> {
  await prepareSecret(deps);
  const next = deps.secrets.next();
  const former = await deps.changeInstallation({ actor: OPERATOR, at: deps.clock.now() }, async (change) => {
    const { sealed } = change;
    const id = await sealed.secretId();
    for (const value of await sealed.all()) {
      await sealed.replace(value, next.seal(value.place, deps.secrets.open(value.place, value.text)));
    }
    await sealed.setSecretId(next.id);
    change.recordInstallation('installation.secret-rotated', next.id);
    return id;
  });
  deps.secrets.complete(next.id);
  return { id: next.id, keptIn: former === null ? undefined : deps.secrets.keptIn(former) };
}

export interface ResetSecretDeps {
  secrets: InstallationSecrets;
  changeInstallation: ChangeInstallation<{
    sealed: SealedChanges;
    signingKeys: SigningKeyChanges;
    secondFactors: SecondFactorChanges;
    accounts: AccountCreation;
    cuts: CutChanges;
  }>;
  clock: Clock;
}

/** For a lost secret: what it protected cannot be read any more and is replaced. Every access token ends. */
export function resetSecret(deps: ResetSecretDeps): Promise<{ accounts: number; secondFactors: number }> {
  const at = deps.clock.now();
  return deps.changeInstallation({ actor: OPERATOR, at }, async (change) => {
    if ((await change.sealed.secretId()) === null) {
      throw new Failure('conflict', 'Nothing in this database is encrypted yet, so there is nothing to reset.');
    }
    const secret = deps.secrets.first();
    const members = await change.secondFactors.removeAll();
    for (const { accountId, email } of members) change.record(accountId, 'profile.second-factor-reset', email);
    const accountIds = await change.accounts.ids();
    for (const accountId of accountIds) change.record(accountId, 'key.tokens-ended', 'all access tokens');
    const formerKeys = (await change.signingKeys.all()).map(publicForm);
    const signer = await replaceSigningKeys(change.signingKeys, secret, at);
    // Without the secret, it cannot be found out which of them the installation has made itself.
    const own = { signingKeys: signerOf(secret, signer), ownKeys: formerKeys };
    for (const { chain } of await change.cuts.all()) await signAgain(own, change.cuts, chain);
    await change.sealed.setSecretId(secret.id);
    change.recordInstallation('installation.secret-reset', secret.id);
    return { accounts: accountIds.length, secondFactors: members.length };
  });
}
