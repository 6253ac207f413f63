import type { Actor, ChangeAccount } from '../change.ts';
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import type { AccountSettings, SettingsChanges } from './account.ts';
import type { MemberChanges } from './manage-members.ts';
import { isActingMember, isAtLeast } from './member.ts';

export interface UpdateAccountDeps {
  changeAccount: ChangeAccount<{ settings: SettingsChanges; members: MemberChanges }>;
  clock: Clock;
}

/** What each setting means when it is on and when it is off. */
const SETTINGS: Record<keyof AccountSettings, [on: string, off: string]> = {
  requiresDeclineReason: ['a reason is required to decline a client', 'no reason is required to decline a client'],
  requiresSecondFactor: ['a second factor is required of all members', 'no second factor is required of members'],
  viewersMayExport: ['viewers may export clients', 'viewers may not export clients'],
};
const NAMES = Object.keys(SETTINGS) as (keyof AccountSettings)[];

/** Changes the given settings of an account, and returns all of them. Among its members, only owners may do this. */
export async function updateAccount(
  { changeAccount, clock }: UpdateAccountDeps,
  { accountId, actor }: { accountId: number; actor: Actor },
  given: { [Name in keyof AccountSettings]?: boolean | undefined },
): Promise<AccountSettings> {
  // The change is refused if the member has another role by now.
  if (isActingMember(actor) && !isAtLeast(actor.role, 'owner')) {
    throw new Failure('forbidden', 'Only an owner may do this.');
  }
  return changeAccount({ accountId, actor, at: clock.now() }, async (change) => {
    const settings = await change.settings.read();
    const changed = NAMES.filter((name) => (given[name] ?? settings[name]) !== settings[name]);
    if (changed.length === 0) return settings;
    for (const name of changed) settings[name] = !settings[name];
    if (isActingMember(actor) && changed.includes('requiresSecondFactor') && settings.requiresSecondFactor) {
      const member = await change.members.find(actor.memberId);
      if (!member?.hasSecondFactor) throw new Failure('conflict', 'Add a second factor to your own profile first.');
    }
    await change.settings.save(settings);
    for (const name of changed) change.record('account.updated', textOf(name, settings));
    return settings;
  });
}

/** Such as `viewers may export clients`. */
export function textOf(name: keyof AccountSettings, settings: AccountSettings): string {
  const [on, off] = SETTINGS[name];
  return settings[name] ? on : off;
}
