/** The contents of a database that are needed to see whether it belongs to Rollcall. */
export interface DatabaseContents {
  /** Tables and views. */
  tables: string[];
  /** The names of the migrations that have been run. */
  migrations: string[];
  /** The oldest schema that a program must know, if the database says so. */
  oldestSchema?: number | undefined;
}
