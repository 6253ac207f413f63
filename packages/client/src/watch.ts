import { sleep } from './abortable.ts';
import type { Client, ClientsPage } from './generated/api.ts';
import { checkMilliseconds } from './option-values.ts';
import type { RetryLimits } from './retry.ts';

/** A change that a watch reports. A client that begins to match the filters counts as added, one that stops as removed. */
export type ClientChange = ClientAdded | ClientChanged | ClientRemoved;

/** A client that is new, or has begun to match the filters. */
export interface ClientAdded {
  /** The kind of the change. */
  type: 'added';
  /** The client as it is now. */
  client: Client;
}

/** A client of which at least one field has changed. */
export interface ClientChanged {
  /** The kind of the change. */
  type: 'changed';
  /** The client as it is now. */
  client: Client;
  /** The client as it was at the previous check. */
  before: Client;
}

/** A client that was removed, or no longer matches the filters. */
export interface ClientRemoved {
  /** The kind of the change. */
  type: 'removed';
  /** The client as it was at the previous check. */
  client: Client;
}

/** How often a watch checks for changes, and when it ends. */
export interface WatchOptions {
  /**
   * The time between two checks for changes, in milliseconds: 0 to 2147483647.
   * @defaultValue 5000
   */
  intervalMs?: number | undefined;
  /**
   * Whether to report every existing client as `added` first.
   * @defaultValue false
   */
  includeExisting?: boolean | undefined;
  /**
   * How long a watch that has begun retries during an outage, in milliseconds. When the service is back, the changes that
   * were missed are reported. The first check is retried like any other call: see `retryForMs` and `maxRetries` of
   * `RollcallOptions`.
   * @defaultValue Infinity: only `signal` or a permanent error, such as a revoked key, ends the watch
   */
  retryForMs?: number | undefined;
  /**
   * Ends the watch with the signal's reason. This is the only way to end a watch while it waits.
   * @defaultValue none
   */
  signal?: AbortSignal | undefined;
}

export interface WatchSettings {
  intervalMs: number;
  includeExisting: boolean;
  signal: AbortSignal | undefined;
  /** For all requests after the first check. */
  limits: RetryLimits;
}

export function readWatchSettings(options: WatchOptions): WatchSettings {
  const { intervalMs = 5000, includeExisting = false, retryForMs = Number.POSITIVE_INFINITY, signal } = options;
  const unlimited = { min: 0, max: Number.POSITIVE_INFINITY };
  return {
    intervalMs: checkMilliseconds('intervalMs', intervalMs),
    includeExisting,
    signal,
    limits: {
      maxRetries: Number.POSITIVE_INFINITY,
      retryForMs: checkMilliseconds('retryForMs', retryForMs, unlimited),
    },
  };
}

interface CallOptions {
  signal: AbortSignal | undefined;
  limits: RetryLimits | undefined;
}

/** The requests that a watch sends. */
export interface WatchSource {
  /** Returns a page with one client, or the given page itself if nothing has changed since. */
  poll(last: ClientsPage | undefined, options: CallOptions): Promise<ClientsPage>;
  walk(options: CallOptions): AsyncIterable<Client>;
}

/**
 * A poll is one conditional request for a single client: the ETag of the service changes with any client of the workspace.
 * It comes before the walk, so that changes during the walk are found by the next poll.
 */
export async function* watchClients(
  clients: WatchSource,
  { intervalMs, includeExisting, signal, limits }: WatchSettings,
): AsyncGenerator<ClientChange, void, undefined> {
  let known: Map<string, Client> | undefined = includeExisting ? new Map() : undefined;
  let lastPoll: ClientsPage | undefined;
  for (;;) {
    // The first poll has the ordinary limits, so that a wrong address is reported.
    const poll = await clients.poll(lastPoll, { signal, limits: lastPoll && limits });
    if (poll !== lastPoll) {
      const found = new Map<string, Client>();
      for await (const client of clients.walk({ signal, limits })) found.set(client.reference_id, client);
      if (known) yield* differences(known, found);
      known = found;
      lastPoll = poll;
    }
    await sleep(intervalMs, signal);
  }
}

/** Removed clients first, then added and changed ones, oldest first. */
function* differences(before: Map<string, Client>, after: Map<string, Client>): Generator<ClientChange> {
  for (const [id, client] of before) {
    if (!after.has(id)) yield { type: 'removed', client };
  }
  for (const [id, client] of [...after].reverse()) {
    const earlier = before.get(id);
    if (!earlier) yield { type: 'added', client };
    else if (JSON.stringify(earlier) !== JSON.stringify(client)) yield { type: 'changed', client, before: earlier };
  }
}
