import { VALUE_MAX_LENGTH } from '../domain/clients/value-mapping.ts';
import { fold } from '../domain/text.ts';

/** More than anybody would choose words for. */
const LISTED_MAX = 20;

/** A list of values is sent with one on each line. */
const LINE_BREAK = /[\r\n\u2028\u2029]/;

/** Collects the different values of a column, as long as they are few and short. */
class ValueFinder {
  /** The first text of each, by its folded form. */
  #texts: Map<string, string> | null = new Map();
  #last = '';

  see(text: string): void {
    // Most values are the same as those before, and this is called for every value of a file.
    if (!this.#texts || text === this.#last) return;
    this.#last = text;
    const value = fold(text);
    if (value === '' || this.#texts.has(value)) return;
    const isListed = value.length <= VALUE_MAX_LENGTH && !LINE_BREAK.test(value) && this.#texts.size < LISTED_MAX;
    if (isListed) this.#texts.set(value, text.trim());
    else this.#texts = null;
  }

  found(): string[] | null {
    return this.#texts && [...this.#texts.values()];
  }
}

/** Finds the different values of all columns. */
export class ColumnValues {
  readonly #finders: ValueFinder[] = [];

  see(cells: readonly string[]): void {
    for (const [index, cell] of cells.entries()) {
      this.#finders[index] ??= new ValueFinder();
      this.#finders[index].see(cell);
    }
  }

  /** For each column, its values in the order in which they appear, or null if they are many or long. */
  found(columns: number): (string[] | null)[] {
    return Array.from({ length: columns }, (_, index) => (this.#finders[index] ?? new ValueFinder()).found());
  }
}
