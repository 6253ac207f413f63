import { useQueryClient } from '@tanstack/react-query';
import type { ChangeClientForm, ChangedClientRecord, ClientRecord } from '#contract/clients/clients.ts';
import { ApiError } from '../api.ts';
import { useEnvironment } from '../environment.ts';
import { useSendChange } from '../use-send-change.ts';
import { clientQuery } from './queries.ts';

const CONFLICT = 409;

/** Changes a client unless somebody else has changed it since it was shown. In that case the page is refreshed. */
export function useUpdateClient(
  client: ClientRecord,
): (fields: ChangeClientForm['change'], reason?: string) => Promise<ChangedClientRecord> {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const queries = useQueryClient();
  const { reference_id: referenceId, group_token: _token, created_at: _time, ...seen } = client;
  return async (fields, reason) => {
    try {
      const form: ChangeClientForm = { seen, change: fields, ...(reason !== undefined && { reason }) };
      return await sendChange<ChangedClientRecord>('PATCH', `/${environment}/clients/${referenceId}`, form);
    } catch (error) {
      if (error instanceof ApiError && error.status === CONFLICT) {
        await queries.invalidateQueries({ queryKey: clientQuery(environment, referenceId).queryKey });
      }
      throw error;
    }
  };
}
