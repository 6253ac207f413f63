import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** What the rest of the store needs of a database; everything in which databases truly differ is behind it. */
export interface Engine {
  readonly dialect: 'sqlite' | 'postgres';
  readonly reads: Kysely<Tables>;
  /** Several reads of one moment. */
  snapshot<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** One transaction: all of it is kept, or none. */
  write<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
  migrate(): Promise<void>;
  /** Calls the listener soon after anyone, in any process, has changed the data. Returns how to stop. */
  onChange(listener: () => void): () => void;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
