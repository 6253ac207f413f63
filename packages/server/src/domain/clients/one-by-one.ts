import { isFailure } from '../failure.ts';

/** What became of clients that were changed one by one in the same transaction. */
export interface Outcomes {
  changed: number;
  refused: { referenceId: string; reason: string }[];
}

/** The outcome for one of them, or the reason why it cannot be changed. */
export async function outcomeOf(
  change: () => Promise<{ changed: boolean } | undefined>,
): Promise<'changed' | 'unchanged' | { refused: string }> {
  try {
    const result = await change();
    if (!result) return { refused: 'There is no such client.' };
    return result.changed ? 'changed' : 'unchanged';
  } catch (error) {
    if (!isFailure(error) || error.code === 'unavailable') throw error;
    return { refused: error.message };
  }
}
