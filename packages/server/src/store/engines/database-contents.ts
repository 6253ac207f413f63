import type { BackupOwner } from '../../domain/backup-schedule.ts';

/** The contents of a database that are needed to see whether it belongs to Rollcall. */
export interface DatabaseContents {
  /** Tables and views. */
  tables: string[];
  /** The names of the migrations that have been run. */
  migrations: string[];
  /** The oldest schema that a program must know, if the database says so. */
  oldestSchema?: number | undefined;
  /** What the names of its backups say, if it is an SQLite database with an installation. */
  backupOwner?: BackupOwner | undefined;
}
