import type { Place } from './list-slices.ts';

/** How much is put in order at once, whatever is kept: a few milliseconds. */
const ROOM = 5000;

/** Keeps the newest of all that it is given, in memory for a few times as many as are kept. */
export class Newest {
  readonly #kept: number;
  #places: Place[] = [];

  constructor(kept: number) {
    this.#kept = kept;
  }

  add(places: readonly Place[]): void {
    for (const place of places) this.#places.push(place);
    if (this.#places.length > this.#kept + ROOM) this.#places = this.inOrder();
  }

  inOrder(): Place[] {
    return this.#places.sort((a, b) => b.created_at - a.created_at || b.id - a.id).slice(0, this.#kept);
  }
}
