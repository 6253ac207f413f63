import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { Timeouts } from './bounded-pool.ts';
import { newDriverClient } from './driver-client.ts';

/** The channel on which every committed write transaction notifies the other nodes. */
export const CHANNEL = 'rollcall_changes';

/** Listeners are called at most this often, however many changes there are. */
const THROTTLE_MS = 50;
/** Listeners are also called at this interval, so that a lost notification delays them by less than a second. */
const RECHECK_MS = 800;
/** The interval while notifications cannot be received. */
const RECHECK_UNCONNECTED_MS = 400;
const RECONNECT_FIRST_MS = 100;
const RECONNECT_MAX_MS = 2000;
/** A connection can fail silently, so a query tests it at this interval. */
const HEARTBEAT_MS = 3000;
/** How long a test notification may take to arrive. */
const ECHO_TIMEOUT_MS = 1000;

/** Notifies listeners of changes by any node. It has its own connection while there are listeners. */
export class ChangeListener {
  readonly #url: string;
  readonly #timeouts: Timeouts;
  readonly #notify: (channel: string) => Promise<void>;
  readonly #listeners = new Set<() => void>();
  /** A channel for test notifications, on which only this listener listens. */
  readonly #echoChannel = `rollcall_echo_${randomBytes(8).toString('hex')}`;
  #onEcho = () => {};
  #connection: Client | undefined;
  #isReceiving = false;
  #hasMore = false;
  #version = 0;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** `notify` sends a notification to a channel on another connection than the one that listens. */
  constructor(url: string, timeouts: Timeouts, notify: (channel: string) => Promise<void>) {
    this.#url = url;
    this.#timeouts = timeouts;
    this.#notify = notify;
  }

  subscribe(listener: () => void): () => void {
    if (this.#listeners.size === 0) this.#start();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  /** Changes with every notification, and on every call while notifications cannot be received. */
  version(): number {
    return this.#isReceiving ? this.#version : ++this.#version;
  }

  /** Called for changes by this node, which need not wait for a notification. */
  noteOwnChange(): void {
    this.#version++;
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#listeners.clear();
    this.#disconnect();
  }

  #start(): void {
    this.#connect(RECONNECT_FIRST_MS);
    this.#recheck();
  }

  #recheck(): void {
    this.#after('recheck', this.#isReceiving ? RECHECK_MS : RECHECK_UNCONNECTED_MS, () => {
      this.#callListeners();
      this.#recheck();
    });
  }

  /** Calls the listeners immediately for the first change, and again after a pause if more changes followed. */
  #onChange(): void {
    this.#version++;
    if (this.#timers.has('throttle')) {
      this.#hasMore = true;
      return;
    }
    this.#after('throttle', THROTTLE_MS, () => {
      if (this.#hasMore) this.#onChange();
    });
    this.#hasMore = false;
    this.#callListeners();
  }

  #callListeners(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }

  #connect(nextDelayMs: number): void {
    const client = newDriverClient({
      connectionString: this.#url,
      application_name: 'rollcall changes',
      connectionTimeoutMillis: this.#timeouts.connectionMs,
      query_timeout: this.#timeouts.statementMs,
      keepAlive: true,
    });
    this.#connection = client;
    const onLost = () => {
      if (this.#connection !== client) return;
      this.#disconnect();
      this.#after('reconnect', nextDelayMs, () => this.#connect(Math.min(nextDelayMs * 2, RECONNECT_MAX_MS)));
    };
    client.on('notification', ({ channel }) => (channel === this.#echoChannel ? this.#onEcho() : this.#onChange()));
    client.on('error', onLost);
    client.on('end', onLost);
    this.#listen(client).then(() => {
      nextDelayMs = RECONNECT_FIRST_MS;
    }, onLost);
  }

  async #listen(client: Client): Promise<void> {
    await client.connect();
    await client.query(`listen ${CHANNEL}; listen ${this.#echoChannel}`);
    if (this.#connection !== client) return client.end();
    await this.#testNotifications(client);
    // The connection may have been replaced during the test.
    if (this.#connection === client) this.#heartbeat(client);
  }

  /**
   * A pooler that shares server connections accepts `listen` but delivers no notifications. So a connection is trusted only
   * after a test notification has arrived on it. Until then, listeners are called at short intervals.
   */
  async #testNotifications(client: Client): Promise<void> {
    const { promise: echo, resolve } = Promise.withResolvers<boolean>();
    this.#onEcho = () => resolve(true);
    this.#after('echo', ECHO_TIMEOUT_MS, () => resolve(false));
    this.#notify(this.#echoChannel).catch(() => resolve(false));
    if (!(await echo) || this.#connection !== client) return;
    this.#isReceiving = true;
    // Changes that were committed before this connection listened have not been noticed.
    this.#onChange();
  }

  #heartbeat(client: Client): void {
    this.#after('heartbeat', HEARTBEAT_MS, async () => {
      try {
        await client.query('select 1');
        if (!this.#isReceiving) await this.#testNotifications(client);
        if (this.#connection === client) this.#heartbeat(client);
      } catch (error) {
        client.emit('error', error);
      }
    });
  }

  #disconnect(): void {
    const client = this.#connection;
    this.#connection = undefined;
    this.#isReceiving = false;
    clearTimeout(this.#timers.get('heartbeat'));
    if (!client) return;
    client.removeAllListeners('notification');
    // Errors while closing a broken connection do not matter.
    client.on('error', () => {});
    client.end().catch(() => {});
  }

  #after(name: string, delayMs: number, work: () => void): void {
    clearTimeout(this.#timers.get(name));
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      work();
    }, delayMs).unref();
    this.#timers.set(name, timer);
  }
}
