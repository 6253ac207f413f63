import { useQueryClient } from '@tanstack/react-query';
import { ApiError, callConsole, type Method } from './api.ts';
import { useProofPrompt } from './components/proof-prompt.tsx';
import { proofRequestOf } from './components/proof-request.ts';

type SendChange = <Data = null>(method: Method, path: string, body?: unknown) => Promise<Data>;

const NOT_CONFIRMED = 'Nothing was changed, because you have not confirmed that it is you.';

/**
 * Sends a change to the console. When the console asks for the password or the session has ended, the member is asked
 * for the password and the change is sent again, so that nothing they typed is lost. Afterwards everything on screen is
 * fetched again, unless `refetch` is false. With `later`, the answer is not held back until then, because it is shown only once.
 */
export function useSendChange({ refetch = true }: { refetch?: boolean | 'later' } = {}): SendChange {
  const promptForProof = useProofPrompt();
  const queries = useQueryClient();
  return async <Data>(method: Method, path: string, body?: unknown): Promise<Data> => {
    const send = async () => {
      const data = await callConsole<Data>(method, path, body);
      const refetched = refetch ? queries.invalidateQueries() : undefined;
      if (refetch !== 'later') await refetched;
      return data;
    };
    try {
      return await send();
    } catch (error) {
      const request = error instanceof ApiError && proofRequestOf(error);
      if (!request) throw error;
      if (await promptForProof(request)) return send();
      throw request.hasEnded ? error : new ApiError(error.status, NOT_CONFIRMED);
    }
  };
}
