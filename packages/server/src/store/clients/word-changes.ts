import { type SearchedFields, wordsOfClient } from '../../domain/clients/words.ts';
import type { WordChange } from '../engines/engine.ts';

interface Change {
  clientId: number;
  before: SearchedFields | undefined;
  after: SearchedFields | undefined;
}

/** The clients whose words a transaction may change. */
export class WordChanges {
  readonly #changes = new Map<number, Change>();

  /** Without the row before, the client is new; without the row after, it is removed. */
  note(clientId: number, before: SearchedFields | undefined, after: SearchedFields | undefined): void {
    const earlier = this.#changes.get(clientId);
    this.#changes.set(clientId, { clientId, before: earlier ? earlier.before : before, after });
  }

  /** In the order of the ids, without clients whose words stay the same. Words are made lazily, because an import has many. */
  *inOrder(): Generator<WordChange> {
    const sorted = [...this.#changes.values()].sort((a, b) => a.clientId - b.clientId);
    for (const { clientId, ...rows } of sorted) {
      const before = rows.before && wordsOfClient(rows.before);
      const after = rows.after && wordsOfClient(rows.after);
      if ((before || after) && !isSame(before, after)) yield { clientId, before, after };
    }
  }
}

function isSame(before: readonly string[] | undefined, after: readonly string[] | undefined): boolean {
  return before?.length === after?.length && (before?.every((word) => after?.includes(word)) ?? false);
}
