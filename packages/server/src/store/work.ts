import type { Transaction } from 'kysely';
import type { Actor } from '../domain/change.ts';
import type { Engine } from './engines/engine.ts';
import type { Tables } from './tables.ts';

/** What the parts of one change share: the transaction, and by whom and when. */
export interface Work {
  engine: Engine;
  db: Transaction<Tables>;
  actor: Actor;
  at: number;
}

/** A change of one account while it is in progress. */
export interface AccountWork extends Work {
  accountId: number;
  /** Says that something was changed. */
  touch(): void;
}

/** A change of one workspace while it is in progress. */
export interface WorkspaceWork {
  engine: Engine;
  db: Transaction<Tables>;
  workspaceId: number;
  /** The actor as histories name them. */
  actor: string;
  at: number;
  /** The version that the workspace will have if this changes anything. */
  version: number;
  /** Says that something was changed that has no line in a client's history. */
  touch(): void;
}

/** For counters and times that are nobody's change: no lock, no version, no entry on record. */
export type KeepBooks = <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;
