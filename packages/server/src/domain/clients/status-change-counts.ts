import { firstLines } from './first-lines.ts';
import type { WordColumn } from './value-mapping.ts';

/** How many rows of a file change a status of clients that exist from one word to another. */
export interface StatusChangeCount {
  field: StatusField;
  from: string;
  to: string;
  rows: number;
  /** The first of them. */
  lines: readonly number[];
}

/** As it is written for callers. */
export function toStatusChangeRecord({ lines, ...change }: StatusChangeCount) {
  return { ...change, lines: [...lines] };
}

export const STATUS_FIELDS = ['request_status', 'client_status'] as const satisfies readonly WordColumn[];
export type StatusField = (typeof STATUS_FIELDS)[number];

/** Adds up changes of statuses, in the order in which they were seen first. There are only a few different ones. */
export class StatusChangeCounts {
  readonly #counts = new Map<string, StatusChangeCount>();

  add({ field, from, to, rows, lines }: StatusChangeCount): void {
    const before = this.#counts.get(`${from} ${to}`) ?? { rows: 0, lines: [] };
    const added = { rows: before.rows + rows, lines: firstLines(before.lines, lines) };
    this.#counts.set(`${from} ${to}`, { field, from, to, ...added });
  }

  addAll(counts: readonly StatusChangeCount[]): void {
    for (const each of counts) this.add(each);
  }

  list(): StatusChangeCount[] {
    return [...this.#counts.values()];
  }
}
