/** Figures of the overview that a summary does not have. */
export interface ClientCounts {
  /** How many groups there are, with or without clients. */
  groups(workspaceId: number): Promise<number>;
  /** How many clients were created between each time and the next one. The times are in ascending order. */
  createdBetween(workspaceId: number, times: readonly number[]): Promise<number[]>;
}
