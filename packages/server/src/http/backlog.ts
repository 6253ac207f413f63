import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface BacklogLimits {
  unsentBytes: number;
  heldRequests: number;
  bodyBytes: number;
}

const LIMITS: BacklogLimits = {
  // About two hundred of the largest answers.
  unsentBytes: 64 * 1024 * 1024,
  // Together with the objects that Node keeps for it, a request takes about 4 KB.
  heldRequests: 10_000,
  bodyBytes: 64 * 1024 * 1024,
};

interface Unsent {
  response: ServerResponse;
  bytes: number;
  since: number;
}

/** What the callers of the whole process make it keep: unread answers, waiting requests, and bodies that are still arriving. */
export class Backlog {
  readonly #limits: BacklogLimits;
  readonly #heldFor = new Map<Socket, number>();
  readonly #unread = new WeakSet<Socket>();
  readonly #unsent = new Set<Unsent>();
  /** How many callers were cut off or refused for each of the limits. */
  readonly refused = { unreadAnswers: 0, waitingRequests: 0, arrivingBodies: 0 };
  #unsentBytes = 0;
  #held = 0;
  #bodyBytes = 0;

  constructor(limits: Partial<BacklogLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * Counts the part of a complete answer that the kernel has not taken, until it has or the connection ends. When there is too
   * much of it, those who make it wait are cut off, and nobody else notices.
   */
  addUnsent(response: ServerResponse): void {
    const unsent = { response, bytes: response.writableLength, since: performance.now() };
    this.#unsent.add(unsent);
    this.#unsentBytes += unsent.bytes;
    response.once('close', () => this.#forgetUnsent(unsent));
    if (this.#unsentBytes > this.#limits.unsentBytes) this.#cutOffSlowest();
  }

  #forgetUnsent(unsent: Unsent): void {
    if (this.#unsent.delete(unsent)) this.#unsentBytes -= unsent.bytes;
  }

  /** Ends the connections with the most unread bytes for the longest time, until half of what may be kept is free again. */
  #cutOffSlowest(): void {
    const now = performance.now();
    const burden = ({ bytes, since }: Unsent) => bytes * (now - since);
    for (const unsent of [...this.#unsent].sort((one, other) => burden(other) - burden(one))) {
      if (this.#unsentBytes <= this.#limits.unsentBytes / 2) return;
      this.#forgetUnsent(unsent);
      this.refused.unreadAnswers++;
      unsent.response.destroy();
    }
  }

  /** Counts bytes of a body that is being read, until `releaseBody`. Returns false when there are too many in all. */
  holdBody(bytes: number): boolean {
    if (this.#bodyBytes + bytes > this.#limits.bodyBytes) {
      this.refused.arrivingBodies++;
      return false;
    }
    this.#bodyBytes += bytes;
    return true;
  }

  releaseBody(bytes: number): void {
    this.#bodyBytes -= bytes;
  }

  /** Counts a request that waits for earlier answers of its connection. Returns false when too many requests wait. */
  hold(socket: Socket): boolean {
    if (this.#held >= this.#limits.heldRequests) {
      this.refused.waitingRequests++;
      return false;
    }
    this.#held++;
    this.#heldFor.set(socket, (this.#heldFor.get(socket) ?? 0) + 1);
    return true;
  }

  /** Ends the wait of one request of the connection. */
  release(socket: Socket): void {
    const held = this.#heldFor.get(socket);
    if (held === undefined) return;
    this.#held--;
    if (held > 1) this.#heldFor.set(socket, held - 1);
    else this.#heldFor.delete(socket);
  }

  /** Ends the wait of all requests of a connection that has closed. */
  forget(socket: Socket): void {
    this.#held -= this.#heldFor.get(socket) ?? 0;
    this.#heldFor.delete(socket);
  }

  /** Says whether the connection is not being read, so that its caller may have sent requests that nobody has seen yet. */
  setUnread(socket: Socket, isUnread: boolean): void {
    if (isUnread) this.#unread.add(socket);
    else this.#unread.delete(socket);
  }

  /** Whether requests of this connection wait behind the one that is being answered. */
  isHolding(socket: Socket): boolean {
    return this.#heldFor.has(socket);
  }

  /** The same, or whether some may wait that were not read yet. */
  mayHold(socket: Socket): boolean {
    return this.isHolding(socket) || this.#unread.has(socket);
  }
}
