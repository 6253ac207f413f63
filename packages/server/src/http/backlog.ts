import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface BacklogLimits {
  unsentBytes: number;
  heldRequests: number;
}

const LIMITS: BacklogLimits = {
  // Some two hundred of the largest answers.
  unsentBytes: 64 * 1024 * 1024,
  // With Node's objects around it, one takes some 4 KB.
  heldRequests: 10_000,
};

/** What callers have asked for and not taken yet, in the whole process. */
export class Backlog {
  readonly #limits: BacklogLimits;
  readonly #heldFor = new Map<Socket, number>();
  #unsentBytes = 0;
  #held = 0;

  constructor(limits: Partial<BacklogLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** So much waits for callers to read it that there should not be more. */
  get isFull(): boolean {
    return this.#unsentBytes >= this.#limits.unsentBytes;
  }

  /** Counts what the kernel has not taken of an answer that is complete, until it has, or the connection is gone. */
  addUnsent(response: ServerResponse): void {
    const bytes = response.writableLength;
    this.#unsentBytes += bytes;
    response.once('close', () => {
      this.#unsentBytes -= bytes;
    });
  }

  /** Counts a request that waits for the answers before it. False when too many do. */
  hold(socket: Socket): boolean {
    if (this.#held >= this.#limits.heldRequests) return false;
    this.#held++;
    this.#heldFor.set(socket, (this.#heldFor.get(socket) ?? 0) + 1);
    return true;
  }

  letGo(socket: Socket): void {
    const held = this.#heldFor.get(socket);
    if (held === undefined) return;
    this.#held--;
    if (held > 1) this.#heldFor.set(socket, held - 1);
    else this.#heldFor.delete(socket);
  }

  forget(socket: Socket): void {
    this.#held -= this.#heldFor.get(socket) ?? 0;
    this.#heldFor.delete(socket);
  }

  /** Whether more requests of this connection wait than the one that is being answered. */
  isHolding(socket: Socket): boolean {
    return this.#heldFor.has(socket);
  }
}
