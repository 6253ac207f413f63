import {
  type Combination,
  combinationsOf,
  comparePositions,
  type IndexedRow,
  keyOf,
  type Position,
} from './combination.ts';

export interface Delta extends Position {
  delta: number;
}

/** The places that one transaction adds to and takes from the lists, by combination. */
export class IndexChanges {
  readonly #byCombination = new Map<number, { combination: Combination; deltas: Delta[] }>();

  add(row: IndexedRow): void {
    this.#note(row, 1);
  }

  remove(row: IndexedRow): void {
    this.#note(row, -1);
  }

  replace(before: IndexedRow, after: IndexedRow): void {
    if (samePlaces(before, after)) return;
    this.remove(before);
    this.add(after);
  }

  /** In list order, without those that cancel each other out. */
  *entries(): Generator<{ combination: Combination; deltas: Delta[] }> {
    for (const { combination, deltas } of this.#byCombination.values()) {
      const net = netOf(deltas);
      if (net.length > 0) yield { combination, deltas: net };
    }
  }

  #note(row: IndexedRow, delta: number): void {
    for (const combination of combinationsOf(row)) {
      const key = keyOf(combination);
      const entry = this.#byCombination.get(key) ?? { combination, deltas: [] };
      entry.deltas.push({ createdAt: row.created_at, id: row.id, delta });
      this.#byCombination.set(key, entry);
    }
  }
}

function samePlaces(a: IndexedRow, b: IndexedRow): boolean {
  return (
    a.created_at === b.created_at &&
    a.group_id === b.group_id &&
    a.request_status === b.request_status &&
    a.client_type === b.client_type
  );
}

function netOf(deltas: Delta[]): Delta[] {
  deltas.sort(comparePositions);
  const net: Delta[] = [];
  for (const each of deltas) {
    const last = net.at(-1);
    if (last && comparePositions(last, each) === 0) last.delta += each.delta;
    else net.push({ ...each });
  }
  return net.filter((each) => each.delta !== 0);
}
