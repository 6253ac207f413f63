import { useQueryClient } from '@tanstack/react-query';
import { ApiError, call, type Method, PROOF_REQUIRED, SIGNED_OUT } from './api.ts';
import { useProve } from './components/proof.tsx';

/**
 * Sends something that changes the account. Asks for the password first when the console wants proof or the session has
 * ended, so that what was typed is not lost; afterwards everything on screen is fetched anew, unless more is to come.
 */
export function useChange({
  moreToCome = false,
} = {}): <Data = null>(method: Method, path: string, body?: unknown) => Promise<Data> {
  const prove = useProve();
  const queries = useQueryClient();
  return async <Data>(method: Method, path: string, body?: unknown): Promise<Data> => {
    const send = async () => {
      const data = await call<Data>(method, path, body);
      if (!moreToCome) await queries.invalidateQueries();
      return data;
    };
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError) || ![PROOF_REQUIRED, SIGNED_OUT].includes(error.status)) throw error;
      if (!(await prove(error.status))) throw error;
      return send();
    }
  };
}
