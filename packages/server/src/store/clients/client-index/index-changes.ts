import {
  COMBINATION_COLUMNS,
  combinationsOf,
  comparePositions,
  type FilterCombination,
  fromCombinationRow,
  type IndexedRow,
  keyOf,
  type Position,
} from './combination.ts';

export interface Delta extends Position {
  delta: number;
}

/** The changes to the list of one filter combination. */
export interface ListChanges {
  combination: FilterCombination;
  /** In the order of the list, without deltas that cancel each other out. */
  deltas: Delta[];
}

interface RowDelta extends Delta {
  row: IndexedRow;
}

/** The positions that a transaction adds to the lists and removes from them. */
export class IndexChanges {
  readonly #deltas: RowDelta[] = [];

  add(row: IndexedRow): void {
    this.#add(row, 1);
  }

  remove(row: IndexedRow): void {
    this.#add(row, -1);
  }

  replace(before: IndexedRow, after: IndexedRow): void {
    if (hasSamePositions(before, after)) return;
    this.remove(before);
    this.add(after);
  }

  /**
   * The deltas are sorted once and shared by all lists that contain each of them, because sorted copies took more
   * than half of the memory of an import batch.
   */
  byList(): ListChanges[] {
    const lists = new Map<number, ListChanges>();
    const listsOfRow = new Map<number, ListChanges[]>();
    for (const delta of this.#deltas.sort(comparePositions)) {
      const key = keyOf(fromCombinationRow(delta.row));
      const own = listsOfRow.get(key) ?? [...combinationsOf(delta.row)].map((each) => listOf(lists, each));
      listsOfRow.set(key, own);
      for (const { deltas } of own) append(deltas, delta);
    }
    return [...lists.values()].filter(({ deltas }) => deltas.length > 0);
  }

  #add(row: IndexedRow, delta: number): void {
    this.#deltas.push({ createdAt: row.created_at, id: row.id, delta, row });
  }
}

function hasSamePositions(a: IndexedRow, b: IndexedRow): boolean {
  return a.created_at === b.created_at && COMBINATION_COLUMNS.every((column) => a[column] === b[column]);
}

function listOf(lists: Map<number, ListChanges>, combination: FilterCombination): ListChanges {
  const list = lists.get(keyOf(combination)) ?? { combination, deltas: [] };
  lists.set(keyOf(combination), list);
  return list;
}

function append(deltas: Delta[], next: Delta): void {
  const last = deltas.at(-1);
  if (!last || comparePositions(last, next) !== 0) {
    deltas.push(next);
    return;
  }
  deltas.pop();
  const delta = last.delta + next.delta;
  if (delta !== 0) deltas.push({ createdAt: next.createdAt, id: next.id, delta });
}
