import type { ClientRecord } from '#contract/clients/clients.ts';
import type { ClientStatus, RequestStatus } from '#contract/clients/index.ts';
import { capitalised } from '../capitalised.ts';
import { withFullStop } from '../full-stop.ts';
import { REQUEST_STATUS_LABELS } from '../labels.ts';
import { beginChange, CANNOT_BE_UNDONE, tellChange } from './change-message.tsx';
import { canBePutBack, whyNotPutBack } from './decision.ts';
import { deedOf } from './planned-change.ts';
import { useUndo } from './use-undo.ts';
import { useUpdateClient } from './use-update-client.ts';

export type StatusChange = { request_status: RequestStatus } | { client_status: ClientStatus };

/** Returns the function that changes one of the statuses of the client, says so, and offers to undo it where that is allowed. */
export function useChangeStatus(client: ClientRecord): (change: StatusChange, reason?: string) => Promise<void> {
  const updateClient = useUpdateClient(client);
  const undo = useUndo();
  const { reference_id: referenceId, client_name: name } = client;
  return async (change, reason) => {
    beginChange();
    const { version } = await updateClient(change, reason);
    if (version === null) return;
    const text = withFullStop(`${pastOf(change)}: ${name}`);
    if ('request_status' in change && !canBePutBack({ clients: [client], status: change.request_status })) {
      tellChange({ text: `${text} ${CANNOT_BE_UNDONE}`, whyNot: whyNotPutBack(name, change.request_status) });
    } else {
      tellChange({ text, undo: () => undo({ reference_ids: [referenceId], version }, name) });
    }
  };
}

/** What has become of the client: `Completed`, `Deactivated`. */
function pastOf(change: StatusChange): string {
  if ('request_status' in change) return REQUEST_STATUS_LABELS[change.request_status];
  return capitalised(deedOf(change).past);
}
