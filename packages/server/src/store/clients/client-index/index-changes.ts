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

/** What changes in the list of one combination. */
export interface ListChanges {
  combination: Combination;
  /** In list order, without those that cancel each other out. */
  deltas: Delta[];
}

interface Place extends Delta {
  row: IndexedRow;
}

/** The places that one transaction adds to and takes from the lists. */
export class IndexChanges {
  readonly #places: Place[] = [];

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

  /**
   * Sorted once, before they are dealt out, and shared by the eight lists that each place is in: sorted copies were
   * more than half of what a batch of an import held in memory.
   */
  byList(): ListChanges[] {
    const lists = new Map<number, ListChanges>();
    const listsOfRow = new Map<number, ListChanges[]>();
    for (const place of this.#places.sort(comparePositions)) {
      const { group_id: groupId, request_status: requestStatus, client_type: clientType } = place.row;
      const key = keyOf({ groupId, requestStatus, clientType });
      const own = listsOfRow.get(key) ?? [...combinationsOf(place.row)].map((each) => listOf(lists, each));
      listsOfRow.set(key, own);
      for (const { deltas } of own) append(deltas, place);
    }
    return [...lists.values()].filter(({ deltas }) => deltas.length > 0);
  }

  #note(row: IndexedRow, delta: number): void {
    this.#places.push({ createdAt: row.created_at, id: row.id, delta, row });
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

function listOf(lists: Map<number, ListChanges>, combination: Combination): ListChanges {
  const list = lists.get(keyOf(combination)) ?? { combination, deltas: [] };
  lists.set(keyOf(combination), list);
  return list;
}

function append(deltas: Delta[], place: Delta): void {
  const last = deltas.at(-1);
  if (!last || comparePositions(last, place) !== 0) {
    deltas.push(place);
    return;
  }
  deltas.pop();
  const delta = last.delta + place.delta;
  if (delta !== 0) deltas.push({ createdAt: place.createdAt, id: place.id, delta });
}
