import type { ClientRecord } from './generated/api.ts';

/** The options of every call. */
export interface CallOptions {
  /**
   * Ends the call at once with the signal's reason, also while it waits between two attempts. A write may have been made
   * nevertheless.
   * @defaultValue none
   */
  signal?: AbortSignal | undefined;
}

/** The options of a call that changes something. */
export interface WriteOptions extends CallOptions {
  /**
   * Identifies the write for 24 hours, in which the service makes it only once, however often it is sent: 1 to 255 visible
   * ASCII characters. Give your own to repeat a write safely after your program was restarted.
   * @defaultValue a random key for each call, which all of its attempts share
   */
  idempotencyKey?: string | undefined;
}

/** The options of a call that changes or erases a client. */
export interface ChangeOptions extends WriteOptions {
  /**
   * The only version of the client that may be changed: a record that `get`, `create`, `update` or `upsert` has returned,
   * the same object, or an ETag. If the client has been changed since, a `ChangedError` is thrown.
   * @defaultValue none: the client is changed, whatever others have changed meanwhile
   */
  ifMatch?: ClientRecord | string | undefined;
}
