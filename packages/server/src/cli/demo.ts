import { createAccount } from '../domain/account.ts';
import { addSample } from '../domain/add-sample.ts';
import { createKey } from '../domain/manage-keys.ts';
import type { CommandContext } from './context.ts';

export const DEMO_EMAIL = 'demo@rollcall.example';

export interface Demo {
  password: string;
  apiKey: string;
}

/** An account with a filled sandbox and a key for it, made once; nothing when it is there already. */
export async function makeDemo({ store, clock }: CommandContext): Promise<Demo | undefined> {
  if (await store.accounts.byOwnerEmail(DEMO_EMAIL)) return undefined;
  const { account, password } = await createAccount(
    { accounts: store.accounts, clock },
    { name: 'Demo', email: DEMO_EMAIL },
  );
  const workspaceId = await store.accounts.workspaceId(account.id, 'sandbox');
  await addSample({ clients: store.clients, clock }, { workspaceId, clients: 250, groups: 6, seed: 1 });
  const { secret } = await createKey(
    { keys: store.keys, clock },
    { workspaceId, environment: 'sandbox', name: 'First steps' },
  );
  return { password, apiKey: secret };
}
