import type { Client } from './client.ts';
import type { FormerFields } from './client-event.ts';

/** The subject of an activity entry, where others say what many clients were changed to. */
export const UNDONE = 'what they were before';

/** What many clients can be given at once. */
export type ManyPatch = { [Field in 'requestStatus' | 'groupName' | 'status']?: Client[Field] | undefined };

/** What one of them is given. With a token, it is refused if the group of this name is not the one with the token. */
export type OnePatch = ManyPatch & { groupToken?: string | undefined };

/** The last line in the history of a client: the version of the workspace after it, and the values before it. */
export interface LastEvent {
  version: number;
  from: FormerFields | null;
}

export interface ManyOptions {
  /** Kept in the history of every client that is changed. */
  reason?: string | undefined;
  /** Whether this undoes the last line in the history of each client, which `decide` is then given. */
  withLastEvent?: boolean | undefined;
}

/** What became of one of the clients. */
export type ManyOutcome = { referenceId: string } & (
  | { outcome: 'changed'; before: Client }
  | { outcome: 'unchanged' | 'left-out' }
  | { outcome: 'refused'; reason: string }
);

/** Changes to many clients within a transaction. */
export interface ManyChanges {
  /**
   * Gives each client what `decide` returns for it, with a line in its history, and returns what became of each, in the same
   * order. `decide` refuses a client by throwing a failure and leaves it out by returning nothing. Those that would have the
   * email of another client of their new group are refused, too. All of them are read and written together. Where a client is
   * moved, the line has the token of its former group.
   */
  changeMany(
    referenceIds: readonly string[],
    decide: (client: Client, last: LastEvent | undefined) => OnePatch | undefined,
    options?: ManyOptions,
  ): Promise<{
    outcomes: ManyOutcome[];
    /** That of the workspace after the change, by which the lines in the histories are found again. */
    version: number;
  }>;
}
