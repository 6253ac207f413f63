import { sleep } from './abortable.ts';
import { milliseconds } from './amounts.ts';
import type { Client, ClientsPage } from './generated/api.ts';
import type { RetryLimits } from './retry.ts';

/** A client that no longer matches the filters counts as removed; one that begins to counts as added. */
export type ClientChange = ClientAdded | ClientChanged | ClientRemoved;

/** A client that is new, or has begun to match the filters. */
export interface ClientAdded {
  /** Tells the kinds of change apart. */
  type: 'added';
  /** The client as it is now. */
  client: Client;
}

/** A client of which at least one field has another value than before. */
export interface ClientChanged {
  /** Tells the kinds of change apart. */
  type: 'changed';
  /** The client as it is now. */
  client: Client;
  /** The client as it was when the watch last looked. */
  before: Client;
}

/** A client that is gone, or no longer matches the filters. */
export interface ClientRemoved {
  /** Tells the kinds of change apart. */
  type: 'removed';
  /** The client as it was when the watch last looked. */
  client: Client;
}

/** How a watch looks, and when it ends. */
export interface WatchOptions {
  /**
   * How long to wait between one look and the next, in milliseconds: 0 to 2147483647.
   * @defaultValue 5000
   */
  intervalMs?: number | undefined;
  /**
   * Begin with every client that is already there, as `added`.
   * @defaultValue false
   */
  includeExisting?: boolean | undefined;
  /**
   * How long a watch that has begun goes on through an outage, in milliseconds. When the service is back, everything
   * that was missed is reported. The first look is tried for as long as any other call: see `retryForMs` and
   * `maxRetries` of `RollcallOptions`.
   * @defaultValue Infinity: only `signal` or an error that does not pass, such as a revoked key, ends the watch
   */
  retryForMs?: number | undefined;
  /**
   * The only way to end a watch that waits. It ends with the signal's reason.
   * @defaultValue none
   */
  signal?: AbortSignal | undefined;
}

export interface WatchSettings {
  intervalMs: number;
  includeExisting: boolean;
  signal: AbortSignal | undefined;
  /** For all requests after the first look. */
  limits: RetryLimits;
}

export function watchSettingsOf(options: WatchOptions): WatchSettings {
  const { intervalMs = 5000, includeExisting = false, retryForMs = Number.POSITIVE_INFINITY, signal } = options;
  const limitless = { min: 0, max: Number.POSITIVE_INFINITY };
  return {
    intervalMs: milliseconds('intervalMs', intervalMs),
    includeExisting,
    signal,
    limits: {
      maxRetries: Number.POSITIVE_INFINITY,
      retryForMs: milliseconds('retryForMs', retryForMs, limitless),
    },
  };
}

interface CallOptions {
  signal: AbortSignal | undefined;
  limits: RetryLimits | undefined;
}

/** The clients that match some filters, as a watch sees them. */
export interface Watched {
  /** A page with a single client, or the given one itself when nothing has changed since. */
  look(last: ClientsPage | undefined, options: CallOptions): Promise<ClientsPage>;
  walk(options: CallOptions): AsyncIterable<Client>;
}

/**
 * A look is one conditional request for a single client: the service's ETag changes with anything in the workspace.
 * It is taken before the walk that it leads to, so what changes during the walk is found by the next look.
 */
export async function* watchClients(
  clients: Watched,
  { intervalMs, includeExisting, signal, limits }: WatchSettings,
): AsyncGenerator<ClientChange, void, undefined> {
  let known: Map<string, Client> | undefined = includeExisting ? new Map() : undefined;
  let lastLook: ClientsPage | undefined;
  for (;;) {
    // An address at which nobody has ever answered is a mistake that must be heard of.
    const look = await clients.look(lastLook, { signal, limits: lastLook && limits });
    if (look !== lastLook) {
      const found = new Map<string, Client>();
      for await (const client of clients.walk({ signal, limits })) found.set(client.reference_id, client);
      if (known) yield* differences(known, found);
      known = found;
      lastLook = look;
    }
    await sleep(intervalMs, signal);
  }
}

/** What is gone first, then what is new or different, the oldest first. */
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
