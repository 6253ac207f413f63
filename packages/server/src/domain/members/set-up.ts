import { type Actor, type ChangeInstallation, OPERATOR } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import { hashSecret } from '../secret.ts';
import { type AccountCreation, type Accounts, prepareAccount } from './account.ts';
import type { ChoosePasswordDeps } from './choose-password.ts';
import type { Member } from './member.ts';
import { type LinkChanges, makeLinkId, makeToken, type OneTimeLinks } from './one-time-link.ts';

const SET_UP_LINK_MS = 24 * 3_600_000;

export interface SetUpDeps extends ChoosePasswordDeps {
  accounts: Accounts;
  links: OneTimeLinks;
  changeInstallation: ChangeInstallation<{ accounts: AccountCreation; links: LinkChanges }>;
  clock: Clock;
}

/** Returns a token for the set-up page, or `undefined` if the installation already has an account. */
export async function createSetUpLink({ changeInstallation, clock }: SetUpDeps): Promise<string | undefined> {
  const { token, hash } = makeToken();
  const at = clock.now();
  return changeInstallation({ actor: OPERATOR, at }, async (change) => {
    if (await change.accounts.exist()) return undefined;
    const link = { id: makeLinkId(), purpose: 'set-up', accountId: null, email: null, role: null } as const;
    await change.links.add({ ...link, createdBy: null, createdAt: at, expiresAt: at + SET_UP_LINK_MS }, hash);
    return token;
  });
}

/** Creates the first account and its owner. Only one of two attempts with the same link succeeds, and a failed attempt does not use it up. */
export async function setUp(
  deps: SetUpDeps,
  request: { token: string; name: string; email: string; password: string },
  address: string,
): Promise<Member> {
  const hash = hashSecret(request.token);
  const at = deps.clock.now();
  // An early check, to avoid hashing a password in vain. The link is checked again below, under the lock.
  if ((await deps.links.find(hash, at))?.purpose !== 'set-up') throw invalidLink();
  const { newAccount } = await prepareAccount(deps, request, at);
  const actor: Actor = { name: newAccount.ownerEmail, address };
  return deps.changeInstallation({ actor, at }, async (change) => {
    const link = await change.links.take(hash, at);
    if (link?.purpose !== 'set-up' || (await change.accounts.exist())) throw invalidLink();
    const { account, owner } = await change.accounts.create(newAccount);
    change.recordInstallation('installation.account-created', `account ${account.id}`);
    change.record(account.id, 'member.set-up', owner.email);
    return owner;
  });
}

export function invalidLink(): Failure {
  return new Failure('not_found', 'This link has expired, or it has been used or withdrawn. Ask for a new one.');
}
