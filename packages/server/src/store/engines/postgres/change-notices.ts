import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { Patience } from './pool.ts';

/** The channel on which every write transaction says, when it is committed, that something has changed. */
export const CHANNEL = 'rollcall_changes';

/** However many changes there are, listeners look again at most this often. */
const CALM_MS = 50;
/** A lost notification must not cost a second: listeners look again this often, whatever was heard. */
const RECHECK_MS = 800;
/** And this often while there is no connection on which to hear anything. */
const RECHECK_UNCONNECTED_MS = 400;
const RECONNECT_FIRST_MS = 100;
const RECONNECT_LONGEST_MS = 2000;
/** A connection can be dead without a sign of it, so it is spoken to from time to time. */
const HEARTBEAT_MS = 3000;
/** How long the echo of our own words may take. */
const ECHO_MS = 1000;

/** Tells listeners of changes by any node; holds a connection of its own while there is anybody to tell. */
export class ChangeWatch {
  readonly #url: string;
  readonly #patience: Patience;
  readonly #say: (channel: string) => Promise<void>;
  readonly #listeners = new Set<() => void>();
  /** A channel that only we listen to. */
  readonly #echo = `rollcall_echo_${randomBytes(8).toString('hex')}`;
  #heardEcho = () => {};
  #connection: Client | undefined;
  #hears = false;
  #heardMore = false;
  #version = 0;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** `say` notifies a channel on another connection than the one that listens. */
  constructor(url: string, patience: Patience, say: (channel: string) => Promise<void>) {
    this.#url = url;
    this.#patience = patience;
    this.#say = say;
  }

  subscribe(listener: () => void): () => void {
    if (this.#listeners.size === 0) this.#start();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  /** Moves with every change that was heard of, and always while nothing can be heard. */
  version(): number {
    return this.#hears ? this.#version : ++this.#version;
  }

  /** What this node itself has changed need not be heard first. */
  note(): void {
    this.#version++;
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#listeners.clear();
    this.#drop();
  }

  #start(): void {
    this.#connect(RECONNECT_FIRST_MS);
    this.#recheck();
  }

  #recheck(): void {
    this.#after('recheck', this.#hears ? RECHECK_MS : RECHECK_UNCONNECTED_MS, () => {
      this.#tell();
      this.#recheck();
    });
  }

  /** At once for the first change, and once more after a pause if others followed within it. */
  #heard(): void {
    this.#version++;
    if (this.#timers.has('calm')) {
      this.#heardMore = true;
      return;
    }
    this.#after('calm', CALM_MS, () => {
      if (this.#heardMore) this.#heard();
    });
    this.#heardMore = false;
    this.#tell();
  }

  #tell(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }

  #connect(nextDelayMs: number): void {
    const client = new Client({
      connectionString: this.#url,
      application_name: 'rollcall changes',
      connectionTimeoutMillis: this.#patience.connectionMs,
      query_timeout: this.#patience.statementMs,
      keepAlive: true,
    });
    this.#connection = client;
    const lose = () => {
      if (this.#connection !== client) return;
      this.#drop();
      this.#after('reconnect', nextDelayMs, () => this.#connect(Math.min(nextDelayMs * 2, RECONNECT_LONGEST_MS)));
    };
    client.on('notification', ({ channel }) => (channel === this.#echo ? this.#heardEcho() : this.#heard()));
    client.on('error', lose);
    client.on('end', lose);
    this.#listen(client).then(() => {
      nextDelayMs = RECONNECT_FIRST_MS;
    }, lose);
  }

  async #listen(client: Client): Promise<void> {
    await client.connect();
    await client.query(`listen ${CHANNEL}; listen ${this.#echo}`);
    if (this.#connection !== client) return client.end();
    await this.#tryHearing(client);
    // It may have been lost, and another one made, while we waited for the echo.
    if (this.#connection === client) this.#heartbeat(client);
  }

  /**
   * A pooler that hands server connections around accepts `listen` and delivers nothing. So a connection is trusted once
   * something that was said elsewhere has been heard on it; until then everybody looks for themselves.
   */
  async #tryHearing(client: Client): Promise<void> {
    const { promise: echo, resolve } = Promise.withResolvers<boolean>();
    this.#heardEcho = () => resolve(true);
    this.#after('echo', ECHO_MS, () => resolve(false));
    this.#say(this.#echo).catch(() => resolve(false));
    if (!(await echo) || this.#connection !== client) return;
    this.#hears = true;
    // What was committed before we listened has been said to nobody.
    this.#heard();
  }

  #heartbeat(client: Client): void {
    this.#after('heartbeat', HEARTBEAT_MS, async () => {
      try {
        await client.query('select 1');
        if (!this.#hears) await this.#tryHearing(client);
        if (this.#connection === client) this.#heartbeat(client);
      } catch (error) {
        client.emit('error', error);
      }
    });
  }

  #drop(): void {
    const client = this.#connection;
    this.#connection = undefined;
    this.#hears = false;
    clearTimeout(this.#timers.get('heartbeat'));
    if (!client) return;
    client.removeAllListeners('notification');
    // The end of a connection that is already broken is no news.
    client.on('error', () => {});
    client.end().catch(() => {});
  }

  #after(what: string, delayMs: number, work: () => void): void {
    clearTimeout(this.#timers.get(what));
    const timer = setTimeout(() => {
      this.#timers.delete(what);
      work();
    }, delayMs).unref();
    this.#timers.set(what, timer);
  }
}
