import type { ClientPatch, ExpectedClient } from '../../domain/clients/manage-clients.ts';
import type { ChangeClientForm } from '../contract/clients/clients.ts';

export function toExpected(seen: ChangeClientForm['seen']): ExpectedClient {
  return {
    email: seen.email,
    name: seen.client_name,
    type: seen.client_type,
    groupName: seen.group_name,
    requestStatus: seen.request_status,
    status: seen.client_status,
    ...(seen.external_id !== undefined && { externalId: seen.external_id || null }),
  };
}

export function toPatch(change: ChangeClientForm['change']): ClientPatch {
  return {
    ...(change.email !== undefined && { email: change.email }),
    ...(change.client_name !== undefined && { name: change.client_name }),
    ...(change.client_type !== undefined && { type: change.client_type }),
    ...(change.group_name !== undefined && { groupName: change.group_name }),
    ...(change.request_status !== undefined && { requestStatus: change.request_status }),
    ...(change.client_status !== undefined && { status: change.client_status }),
    ...(change.external_id !== undefined && { externalId: change.external_id || null }),
  };
}
