import { Rollcall } from '../rollcall.ts';
import type { RollcallOptions } from '../settings.ts';
import { UsageError } from './usage-error.ts';

/** A client with the API key and the address from the environment variables, and the retry options of the command. */
export function openRollcall(
  environment: Readonly<Record<string, string | undefined>>,
  retryOptions: Pick<RollcallOptions, 'retryForMs' | 'onRetry'>,
): Rollcall {
  const { ROLLCALL_API_KEY, ROLLCALL_BASE_URL } = environment;
  try {
    return new Rollcall({ apiKey: ROLLCALL_API_KEY?.trim(), baseUrl: ROLLCALL_BASE_URL?.trim(), ...retryOptions });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = error.message.replace('apiKey', 'ROLLCALL_API_KEY').replace('baseUrl', 'ROLLCALL_BASE_URL');
    throw new UsageError(message, { cause: error });
  }
}
