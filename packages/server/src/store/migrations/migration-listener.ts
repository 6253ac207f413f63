/** Learns of every migration of an existing database. A new one has nothing to upgrade, so nothing is reported. */
export interface MigrationListener {
  /** `position` counts from 1 to `count`, the number of all migrations that have to be run. */
  onBegin(migration: { name: string; position: number; count: number }): void;
  /** All migrations are one transaction, so nothing is changed for good before the last one has ended. */
  onEnd(migration: { name: string; milliseconds: number }): void;
}
