/** What a database holds, as far as it takes to tell whose it is. */
export interface Contents {
  /** Tables and views. */
  tables: string[];
  /** The names of those that have been run. */
  migrations: string[];
  /** The oldest schema that a program must know, if that is on record. */
  oldestSchema?: number | undefined;
}
