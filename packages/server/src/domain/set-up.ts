import { type Account, type Accounts, createAccount } from './account.ts';
import { type RecordDeps, record } from './activity.ts';
import { hashSecret } from './api-key.ts';
import { Failure } from './failure.ts';
import type { Member } from './member.ts';
import { makeLinkId, makeToken, type OneTimeLinks } from './one-time-link.ts';
import type { MemberCredentials } from './sign-in.ts';
import { fold } from './text.ts';

const SET_UP_LINK_MS = 24 * 3_600_000;

export interface SetUpDeps extends RecordDeps {
  accounts: Accounts;
  credentials: MemberCredentials;
  links: OneTimeLinks;
}

/** A token for the set-up page, while the installation has no account; nothing afterwards. */
export async function offerSetUp(deps: Pick<SetUpDeps, 'accounts' | 'links' | 'clock'>): Promise<string | undefined> {
  if ((await deps.accounts.list()).length > 0) return undefined;
  const { token, hash } = makeToken();
  const now = deps.clock.now();
  await deps.links.add(
    {
      id: makeLinkId(),
      purpose: 'set-up',
      accountId: null,
      email: null,
      role: null,
      createdBy: null,
      createdAt: now,
      expiresAt: now + SET_UP_LINK_MS,
    },
    hash,
  );
  return token;
}

/** Makes the first account and its owner. */
export async function setUp(
  deps: SetUpDeps,
  request: { token: string; name: string; email: string; password: string },
  address: string,
): Promise<Member> {
  const hash = hashSecret(request.token);
  const found = await deps.links.find(hash, deps.clock.now());
  if (found?.purpose !== 'set-up' || (await deps.accounts.list()).length > 0) throw usedLink();
  // Taken before anything is made: of two people with the same link, one gets it. A form that fails gives it back.
  const link = await deps.links.take(hash, deps.clock.now());
  if (!link) throw usedLink();
  try {
    const { account } = await createAccount(deps, request);
    return await firstOwner(deps, account, address);
  } catch (error) {
    await deps.links.add(link, hash);
    throw error;
  }
}

async function firstOwner(deps: SetUpDeps, account: Account, address: string): Promise<Member> {
  const credentials = await deps.credentials.byEmail(fold(account.ownerEmail));
  if (!credentials) throw new Error('The owner that was just made cannot be found.');
  const { member } = credentials;
  const actor = { ...member, memberId: member.id, address };
  await record(deps, actor, 'member.set-up', member.email);
  return member;
}

export function usedLink(): Failure {
  return new Failure('not_found', 'This link has been used, withdrawn or has expired. Ask for a new one.');
}
