import { Failure, isFailure } from '../../domain/failure.ts';

/** What the messages of the contract begin with, which programs may rely on. */
const BEGINNINGS = { not_found: 'Not found', changed_meanwhile: 'Precondition failed' } as const;

/** The same failure, with a message that begins as the contract says. */
export function toContractFailure(error: unknown): unknown {
  if (!isFailure(error, 'not_found') && !isFailure(error, 'changed_meanwhile')) return error;
  const beginning = BEGINNINGS[error.code as keyof typeof BEGINNINGS];
  if (error.message.startsWith(beginning)) return error;
  const [first = '', ...rest] = error.message;
  return new Failure(error.code, `${beginning}: ${first.toLowerCase()}${rest.join('')}`, { cause: error });
}

export async function withContractMessages<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toContractFailure(error);
  }
}
