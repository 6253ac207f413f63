import { NO_ROWS, withRows } from './counted-rows.ts';
import { GroupChangeCounts } from './group-change-counts.ts';
import type { AppliedRows, ImportedClient, RowOutcome } from './import-clients.ts';
import { StatusChangeCounts } from './status-change-counts.ts';

/** Adds up what became of the rows of one change, which are applied a few at a time. */
export class AppliedParts {
  readonly #outcomes: RowOutcome[] = [];
  readonly #statusChanges = new StatusChangeCounts();
  readonly #groupChanges = new GroupChangeCounts();
  #emailChanges = NO_ROWS;
  #emailsElsewhere = NO_ROWS;
  #repeats = NO_ROWS;
  readonly #clients: ImportedClient[] = [];
  readonly #touched = new Set<number>();

  add(part: AppliedRows): void {
    this.#outcomes.push(...part.outcomes);
    this.#statusChanges.addAll(part.statusChanges);
    this.#groupChanges.addAll(part.groupChanges);
    this.#emailChanges = withRows(this.#emailChanges, part.emailChanges);
    this.#emailsElsewhere = withRows(this.#emailsElsewhere, part.emailsElsewhere);
    this.#repeats = withRows(this.#repeats, part.repeats);
    this.#clients.push(...part.clients);
    for (const id of part.touched) this.#touched.add(id);
  }

  /** Whether one of the parts so far has added or changed this client. */
  hasTouched(id: number): boolean {
    return this.#touched.has(id);
  }

  sum(): AppliedRows {
    return {
      outcomes: this.#outcomes,
      statusChanges: this.#statusChanges.list(),
      groupChanges: this.#groupChanges.summary(),
      emailChanges: this.#emailChanges,
      emailsElsewhere: this.#emailsElsewhere,
      repeats: this.#repeats,
      clients: this.#clients,
      touched: [...this.#touched],
    };
  }
}
