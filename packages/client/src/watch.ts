import { sleep } from './abortable.ts';
import type { Client, ClientsPage } from './generated/api.ts';
import type { ClientFilters, PageRequest } from './query.ts';

/** A client that no longer matches the filters counts as removed; one that begins to counts as added. */
export type ClientChange =
  | { type: 'added'; client: Client }
  | { type: 'changed'; client: Client; before: Client }
  | { type: 'removed'; client: Client };

export interface WatchOptions {
  /** Between one look and the next; 5 seconds if not given. */
  intervalMs?: number | undefined;
  /** Begin with every client that is already there, as added. */
  includeExisting?: boolean | undefined;
  /** The only way to end a watch that waits. It ends with the signal's reason. */
  signal?: AbortSignal | undefined;
}

interface Watched {
  page(
    request: PageRequest,
    options: { ifChangedSince: ClientsPage | undefined; signal: AbortSignal | undefined },
  ): Promise<ClientsPage>;
  list(filters: ClientFilters, options: { signal: AbortSignal | undefined }): AsyncIterable<Client>;
}

const INTERVAL_MS = 5000;

/**
 * A look is one conditional request for a single client: the service's ETag changes with anything in the workspace.
 * It is taken before the walk that it leads to, so what changes during the walk is found by the next look.
 */
export async function* watchClients(
  clients: Watched,
  filters: ClientFilters,
  { intervalMs = INTERVAL_MS, includeExisting = false, signal }: WatchOptions,
): AsyncGenerator<ClientChange, void, undefined> {
  let known: Map<string, Client> | undefined = includeExisting ? new Map() : undefined;
  let lastLook: ClientsPage | undefined;
  for (;;) {
    const look = await clients.page({ ...filters, pageLimit: 1 }, { ifChangedSince: lastLook, signal });
    if (look !== lastLook) {
      const found = new Map<string, Client>();
      for await (const client of clients.list(filters, { signal })) found.set(client.reference_id, client);
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
