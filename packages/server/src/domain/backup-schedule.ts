import { createHmac } from 'node:crypto';

/** What a backup says about the data in it, so that a restore can be compared with it. */
export interface BackupTotals {
  workspaces: number;
  groups: number;
  clients: number;
}

/** A short name of the installation whose database it is, so that several can share a folder. */
export type BackupOwner = string;

const NAME = /^rollcall-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-([0-9a-f]{8})\.db\.zst$/;

/** The key is random and stays the same for as long as the installation exists, also when its database is moved or restored. */
export function backupOwner(saltKey: string): BackupOwner {
  return createHmac('sha256', saltKey).update('owner of backups').digest('hex').slice(0, 8);
}

/** The name of a backup that the service makes. Names are in UTC, so they sort by time, also when clocks change in autumn. */
export function backupName(at: number, owner: BackupOwner): string {
  const [seconds = ''] = new Date(at).toISOString().split('.');
  return `rollcall-${seconds.replaceAll(/[-:]/g, '')}Z-${owner}.db.zst`;
}

interface NamedBackup {
  name: string;
  madeAt: number;
  owner: BackupOwner;
}

/** What the name says, or `undefined` for a file that is no backup that a service has made. */
export function readBackupName(name: string): NamedBackup | undefined {
  const [, ...parts] = NAME.exec(name) ?? [];
  const owner = parts.pop();
  if (owner === undefined) return undefined;
  const [year = 0, month = 0, day, hour, minute, second] = parts.map(Number);
  const madeAt = Date.UTC(year, month - 1, day, hour, minute, second);
  return Number.isNaN(madeAt) || backupName(madeAt, owner) !== name ? undefined : { name, madeAt, owner };
}

interface Moment {
  now: number;
  owner: BackupOwner;
}

/**
 * When the newest backup was made. One from the future was made while the clock was wrong: it must not delay the next one until its
 * time comes.
 */
export function latestBackupAt(names: readonly string[], { now, owner }: Moment): number | undefined {
  return backupsUntil(now, names, owner)[0]?.madeAt;
}

export function isBackupDue(names: readonly string[], { everyMs, ...moment }: Moment & { everyMs: number }): boolean {
  const latestAt = latestBackupAt(names, moment);
  return latestAt === undefined || latestAt <= moment.now - everyMs;
}

/**
 * The names of the backups that are not among the newest ones. Those from the future are neither counted nor named, because it
 * may also be today's clock that is wrong, and they the newest ones.
 */
export function outdatedBackups(names: readonly string[], { now, owner, keep }: Moment & { keep: number }): string[] {
  return backupsUntil(now, names, owner)
    .slice(keep)
    .map(({ name }) => name);
}

/** The newest backup, if there is one, of this owner or of anybody. */
export function latestBackup(names: readonly string[], now: number, owner?: BackupOwner): string | undefined {
  const [latest] = [...backupsUntil(now, names, owner), ...backupsUntil(Number.POSITIVE_INFINITY, names, owner)];
  return latest?.name;
}

/** Newest first. */
function backupsUntil(now: number, names: readonly string[], owner?: BackupOwner): NamedBackup[] {
  const backups = names.map(readBackupName).filter((backup) => backup !== undefined);
  return backups
    .filter((backup) => backup.madeAt <= now && (owner === undefined || backup.owner === owner))
    .sort((a, b) => b.madeAt - a.madeAt);
}
