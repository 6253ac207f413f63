import { useQueryClient } from '@tanstack/react-query';
import type { ChangeClientForm, ClientRecord } from '#contract/clients/clients.ts';
import { ApiError } from '../api.ts';
import { useEnvironment } from '../environment.ts';
import { clientQuery } from '../queries.ts';
import { useChange } from '../use-change.ts';

const CONFLICT = 409;

/** Changes a client as it was seen. If somebody else was quicker, the page shows the client as it is now. */
export function useChangeClient(client: ClientRecord): (fields: ChangeClientForm['change']) => Promise<void> {
  const environment = useEnvironment();
  const change = useChange();
  const queries = useQueryClient();
  const { reference_id: referenceId, group_token: _token, created_at: _time, ...seen } = client;
  return async (fields) => {
    try {
      await change('PATCH', `/${environment}/clients/${referenceId}`, { seen, change: fields });
    } catch (error) {
      if (error instanceof ApiError && error.status === CONFLICT) {
        await queries.invalidateQueries({ queryKey: clientQuery(environment, referenceId).queryKey });
      }
      throw error;
    }
  };
}
