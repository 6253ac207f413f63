import type { Actor, ChangeAccount } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import type { AccountSettings, SettingsChanges } from './account.ts';
import { isActingMember, isAtLeast } from './member.ts';

export interface UpdateAccountDeps {
  changeAccount: ChangeAccount<{ settings: SettingsChanges }>;
  clock: Clock;
}

/** Changes the settings of an account. Among its members, only owners may do this. */
export async function updateAccount(
  { changeAccount, clock }: UpdateAccountDeps,
  { accountId, actor }: { accountId: number; actor: Actor },
  settings: AccountSettings,
): Promise<void> {
  // The change is refused if the member has another role by now.
  if (isActingMember(actor) && !isAtLeast(actor.role, 'owner')) {
    throw new Failure('forbidden', 'Only an owner may do this.');
  }
  await changeAccount({ accountId, actor, at: clock.now() }, async (change) => {
    const { requiresDeclineReason } = settings;
    if ((await change.settings.read()).requiresDeclineReason === requiresDeclineReason) return;
    await change.settings.save(settings);
    change.record('account.updated', `${requiresDeclineReason ? 'a' : 'no'} reason is required to decline a client`);
  });
}
