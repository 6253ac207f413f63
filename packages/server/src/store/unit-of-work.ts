import type { Transaction } from 'kysely';
import type { Actor } from '../domain/change.ts';
import type { Engine } from './engines/engine.ts';
import type { Tables } from './tables.ts';

/** What all parts of a change share: the transaction, the actor and the time. */
export interface UnitOfWork {
  engine: Engine;
  db: Transaction<Tables>;
  actor: Actor;
  at: number;
}

/** A change to an account in progress. */
export interface AccountUnitOfWork extends UnitOfWork {
  accountId: number;
  /** Must be called whenever something is changed. */
  markChanged(): void;
}

/** A change to a workspace in progress. */
export interface WorkspaceUnitOfWork {
  engine: Engine;
  db: Transaction<Tables>;
  workspaceId: number;
  /** The name of the actor in histories. */
  actor: string;
  at: number;
  /** The version of the workspace after this change. */
  version: number;
  /** Must be called for changes that add no line to the history of a client. */
  markChanged(): void;
}

/** The transaction of a bookkeeping. */
export type Books = Transaction<Tables>;

/** For bookkeeping, such as counters and times of last use: without a lock, a new version or an activity entry. */
export type KeepBooks = <T>(work: (db: Books) => Promise<T>) => Promise<T>;
