import { OPERATOR } from '../../domain/change.ts';
import { addSample } from '../../domain/clients/index.ts';
import { createKey } from '../../domain/credentials/index.ts';
import { createAccount } from '../../domain/members/index.ts';
import type { CommandContext } from '../context.ts';

export const DEMO_EMAIL = 'demo@rollcall.example';

export interface DemoCredentials {
  password: string;
  apiKey: string;
}

/** Creates an account with sample clients and a key in its sandbox. Returns `undefined` if it already exists. */
export async function createDemo({ store, clock }: CommandContext): Promise<DemoCredentials | undefined> {
  if ((await store.accounts.byOwnerEmail(DEMO_EMAIL)).length > 0) return undefined;
  const deps = { ...store, clock };
  const { account, password } = await createAccount(deps, OPERATOR, { name: 'Demo', email: DEMO_EMAIL });
  const workspaceId = await store.accounts.workspaceId(account.id, 'sandbox');
  await addSample(deps, OPERATOR, { workspaceId, clients: 250, groups: 6, seed: 1 });
  const key = { environment: 'sandbox', name: 'First steps' } as const;
  const { secret } = await createKey(deps, { workspaceId, actor: OPERATOR }, key);
  return { password, apiKey: secret };
}
