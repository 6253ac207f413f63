import { type ChangeInstallation, OPERATOR } from './change.ts';
import type { Clock } from './clock.ts';
import { publicForm, removeLeakedKey, type SigningKeyChanges, signerAt, signerOf } from './credentials/index.ts';
import { type InstallationSecrets, type SealedChanges, sealingSecret } from './installation-secrets.ts';
import { type CutChanges, signAgain } from './members/index.ts';

interface Parts {
  signingKeys: SigningKeyChanges;
  sealed: SealedChanges;
  cuts: CutChanges;
}

export interface RetireSigningKeyDeps {
  secrets: InstallationSecrets;
  changeInstallation: ChangeInstallation<Parts>;
  clock: Clock;
}

/** For a key that leaked: every token that it signed becomes invalid within a second. */
export async function retireSigningKey(deps: RetireSigningKeyDeps, kid: string): Promise<void> {
  const at = deps.clock.now();
  await deps.changeInstallation({ actor: OPERATOR, at }, async (change) => {
    await signCutsOf(kid, change, deps.secrets, at);
    await removeLeakedKey(change, deps.secrets, { kid, at });
  });
}

/** What the key has signed for the activity log has to be valid without it. */
async function signCutsOf(kid: string, change: Parts, secrets: InstallationSecrets, at: number): Promise<void> {
  const chains = (await change.cuts.all()).filter((cut) => cut.kid === kid);
  const keys = await change.signingKeys.all();
  const signer = signerAt(keys, at);
  if (chains.length === 0 || !signer || signer.kid === kid) return;
  const signing = { signingKeys: signerOf(await sealingSecret(secrets, change.sealed), signer) };
  await signAgain(signing, change.cuts, { chains, formerKeys: keys.map(publicForm) });
}
