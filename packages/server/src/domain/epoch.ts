import { type ChangeInstallation, OPERATOR } from './change.ts';
import type { Clock } from './clock.ts';

/** The epoch distinguishes the versions of the current data from those before a backup was restored. */
export interface EpochChanges {
  /** Starts a new epoch and returns its name. */
  renewEpoch(): Promise<string>;
}

/** For a case that the program cannot detect: a backup that was restored in place. */
export function renewEpoch(deps: {
  changeInstallation: ChangeInstallation<EpochChanges>;
  clock: Clock;
}): Promise<string> {
  return deps.changeInstallation({ actor: OPERATOR, at: deps.clock.now() }, async (change) => {
    const epoch = await change.renewEpoch();
    change.recordInstallation('installation.epoch-renewed', epoch);
    return epoch;
  });
}
