import { type ChangeInstallation, OPERATOR } from './change.ts';
import type { Clock } from './clock.ts';

/** What a change of the installation may do to its epoch: what tells versions from those before a restore. */
export interface EpochChanges {
  /** Begins a new epoch and says what it is called. */
  renewEpoch(): Promise<string>;
}

/** For what cannot be seen: a backup that was restored in place. */
export function renewEpoch(deps: {
  changeInstallation: ChangeInstallation<EpochChanges>;
  clock: Clock;
}): Promise<string> {
  return deps.changeInstallation({ actor: OPERATOR, at: deps.clock.now() }, (change) => change.renewEpoch());
}
