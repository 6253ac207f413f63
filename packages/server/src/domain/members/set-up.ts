import { type Actor, type ChangeInstallation, OPERATOR } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import { type AccountCreation, type Accounts, prepareAccount } from './account.ts';
import type { Member } from './member.ts';
import { type LinkChanges, makeLinkId, makeToken, type OneTimeLinks } from './one-time-link.ts';

const SET_UP_LINK_MS = 24 * 3_600_000;

export interface SetUpDeps {
  accounts: Accounts;
  links: OneTimeLinks;
  changeInstallation: ChangeInstallation<{ accounts: AccountCreation; links: LinkChanges }>;
  clock: Clock;
}

/** A token for the set-up page, while the installation has no account; nothing afterwards. */
export async function offerSetUp({ changeInstallation, clock }: SetUpDeps): Promise<string | undefined> {
  const { token, hash } = makeToken();
  const at = clock.now();
  return changeInstallation({ actor: OPERATOR, at }, async (change) => {
    if (await change.accounts.exist()) return undefined;
    const link = { id: makeLinkId(), purpose: 'set-up', accountId: null, email: null, role: null } as const;
    await change.links.add({ ...link, createdBy: null, createdAt: at, expiresAt: at + SET_UP_LINK_MS }, hash);
    return token;
  });
}

/** Makes the first account and its owner. Of two people with the same link, one gets it; a form that fails keeps it. */
export async function setUp(
  { links, changeInstallation, clock }: SetUpDeps,
  request: { token: string; name: string; email: string; password: string },
  address: string,
): Promise<Member> {
  const hash = hashSecret(request.token);
  const at = clock.now();
  // Looked at before a password is hashed for nothing; what counts is decided below, under the lock.
  if ((await links.find(hash, at))?.purpose !== 'set-up') throw usedLink();
  const { newAccount } = await prepareAccount(request, at);
  const actor: Actor = { name: newAccount.ownerEmail, address };
  return changeInstallation({ actor, at }, async (change) => {
    const link = await change.links.take(hash, at);
    if (link?.purpose !== 'set-up' || (await change.accounts.exist())) throw usedLink();
    const { account, owner } = await change.accounts.create(newAccount);
    change.record(account.id, 'member.set-up', owner.email);
    return owner;
  });
}

export function usedLink(): Failure {
  return new Failure('not_found', 'This link has been used, withdrawn or has expired. Ask for a new one.');
}
