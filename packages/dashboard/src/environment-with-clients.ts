import type { Environment } from '#contract/environments.ts';
import { ApiError } from './api.ts';
import { overviewQuery } from './clients/index.ts';
import { queryClient } from './query-client.ts';

/** Where somebody who has just signed in finds something: in production, unless only the sandbox has clients. */
export async function environmentWithClients(): Promise<Environment> {
  try {
    const hasClients = async (environment: Environment) =>
      (await queryClient.ensureQueryData(overviewQuery(environment))).clients > 0;
    return !(await hasClients('production')) && (await hasClients('sandbox')) ? 'sandbox' : 'production';
  } catch (error) {
    // The page itself will say what is wrong.
    if (error instanceof ApiError) return 'production';
    throw error;
  }
}
