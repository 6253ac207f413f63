import { type ChangeInstallation, OPERATOR } from './change.ts';
import type { Clock } from './clock.ts';
import { openOwnKeys, removeLeakedKey, type SigningKeyChanges } from './credentials/index.ts';
import type { InstallationSecrets, SealedChanges } from './installation-secrets.ts';
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

/** What the key has signed for the activity log has to be valid without it. Without any, this needs no secret. */
async function signCutsOf(kid: string, change: Parts, secrets: InstallationSecrets, at: number): Promise<void> {
  const cuts = (await change.cuts.all()).filter((cut) => cut.kid === kid);
  if (cuts.length === 0) return;
  const own = await openOwnKeys(secrets, change, at);
  for (const { chain } of cuts) await signAgain(own, change.cuts, chain);
}
