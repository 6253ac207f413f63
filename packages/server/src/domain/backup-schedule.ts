/** What a backup says about the data in it, so that a restore can be compared with it. */
export interface BackupTotals {
  workspaces: number;
  groups: number;
  clients: number;
}

const NAME = /^rollcall-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.db\.zst$/;

/** The name of a backup that the service makes. Names are in UTC, so they sort by time, also when clocks change in autumn. */
export function backupName(at: number): string {
  const [seconds = ''] = new Date(at).toISOString().split('.');
  return `rollcall-${seconds.replaceAll(/[-:]/g, '')}Z.db.zst`;
}

/** When the backup with this name was made, or `undefined` for a file that is none of ours. */
export function backupTime(name: string): number | undefined {
  const parts = NAME.exec(name)?.slice(1).map(Number);
  if (!parts) return undefined;
  const [year = 0, month = 0, day, hour, minute, second] = parts;
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  return Number.isNaN(time) || backupName(time) !== name ? undefined : time;
}

/** A backup from the future was made while the clock was wrong. It must not delay the next one until its time comes. */
export function isBackupDue(names: readonly string[], { now, everyMs }: { now: number; everyMs: number }): boolean {
  return !timesUntil(names, now).some((time) => time > now - everyMs);
}

/**
 * The names of the backups that are not among the newest ones. Those from the future are neither counted nor named, because it
 * may also be today's clock that is wrong, and they the newest ones.
 */
export function outdatedBackups(names: readonly string[], { now, keep }: { now: number; keep: number }): string[] {
  return timesUntil(names, now).slice(keep).map(backupName);
}

/** The newest backup, if there is one. */
export function latestBackup(names: readonly string[], now: number): string | undefined {
  const [latest] = [...timesUntil(names, now), ...timesUntil(names, Number.POSITIVE_INFINITY)];
  return latest === undefined ? undefined : backupName(latest);
}

/** Newest first. */
function timesUntil(names: readonly string[], now: number): number[] {
  const times = names.map(backupTime).filter((time) => time !== undefined);
  return times.filter((time) => time <= now).sort((a, b) => b - a);
}
