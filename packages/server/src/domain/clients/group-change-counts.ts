import { firstLines } from './first-lines.ts';

/** How many rows of a file move clients that exist from one group to another. */
export interface GroupMove {
  from: string;
  to: string;
  rows: number;
  /** The first of them. */
  lines: readonly number[];
}

/** What rows of a file do to groups: between which groups clients move, and which groups are made. */
export interface GroupChangeSummary {
  moves: readonly GroupMove[];
  /** How many rows move clients between groups that are not among these. */
  otherMoves: number;
  /** The names of groups that are made. */
  newGroups: readonly string[];
  /** How many more are made. */
  otherNewGroups: number;
}

export const NO_GROUP_CHANGES: GroupChangeSummary = { moves: [], otherMoves: 0, newGroups: [], otherNewGroups: 0 };

/** The groups that were made: the first names, and how many more. */
export interface NewGroups {
  names: readonly string[];
  others: number;
}

/** As few of them as are kept of a whole file. */
export function newGroupsIn(changes: GroupChangeSummary): NewGroups {
  const { newGroups: names, otherNewGroups: others } = withGroupChanges(NO_GROUP_CHANGES, changes);
  return { names, others };
}

/** As it is written for callers. */
export function toGroupChangesRecord({ moves, otherMoves, newGroups, otherNewGroups }: GroupChangeSummary) {
  return {
    moves: moves.map(({ lines, ...move }) => ({ ...move, lines: [...lines] })),
    other_moves: otherMoves,
    new_groups: [...newGroups],
    other_new_groups: otherNewGroups,
  };
}

/** As many as somebody reads. A file can have a million different ones. */
const MOVES_KEPT_MAX = 20;
const NEW_GROUPS_KEPT_MAX = 10;

/** Adds up what a batch of rows does to groups, in the order in which it is seen first. It keeps all names, as the batch does. */
export class GroupChangeCounts {
  readonly #moves = new Map<string, GroupMove>();
  readonly #newGroups: string[] = [];
  #otherMoves = 0;
  #otherNewGroups = 0;

  addMove({ from, to, rows, lines }: GroupMove): void {
    const key = JSON.stringify([from, to]);
    const before = this.#moves.get(key) ?? { rows: 0, lines: [] };
    this.#moves.set(key, { from, to, rows: before.rows + rows, lines: firstLines(before.lines, lines) });
  }

  addNewGroup(name: string): void {
    this.#newGroups.push(name);
  }

  addAll({ moves, otherMoves, newGroups, otherNewGroups }: GroupChangeSummary): void {
    for (const move of moves) this.addMove(move);
    for (const name of newGroups) this.addNewGroup(name);
    this.#otherMoves += otherMoves;
    this.#otherNewGroups += otherNewGroups;
  }

  summary(): GroupChangeSummary {
    return {
      moves: [...this.#moves.values()],
      otherMoves: this.#otherMoves,
      newGroups: [...this.#newGroups],
      otherNewGroups: this.#otherNewGroups,
    };
  }
}

/**
 * What a file has done so far and what a batch of it did. Only the first different moves and names are kept, which are the same
 * however the file is divided into batches.
 */
export function withGroupChanges(soFar: GroupChangeSummary, batch: GroupChangeSummary): GroupChangeSummary {
  const counts = new GroupChangeCounts();
  counts.addAll(soFar);
  counts.addAll(batch);
  const { moves, otherMoves, newGroups, otherNewGroups } = counts.summary();
  const rest = moves.slice(MOVES_KEPT_MAX);
  return {
    moves: moves.slice(0, MOVES_KEPT_MAX),
    otherMoves: rest.reduce((sum, { rows }) => sum + rows, otherMoves),
    newGroups: newGroups.slice(0, NEW_GROUPS_KEPT_MAX),
    otherNewGroups: otherNewGroups + Math.max(0, newGroups.length - NEW_GROUPS_KEPT_MAX),
  };
}
