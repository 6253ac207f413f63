import type { Client, ClientType } from './client.ts';
import type { RequestStatus } from './request-status.ts';
import { fold } from './text.ts';

/** Every filter that is given must hold; text is compared folded. */
export interface ClientFilter {
  email?: string | undefined;
  groupName?: string | undefined;
  requestStatus?: RequestStatus | undefined;
  clientType?: ClientType | undefined;
}

export interface ListClientsRequest extends ClientFilter {
  pageNumber: number;
  pageLimit: number;
}

export interface ClientsPage {
  pageNumber: number;
  pageLimit: number;
  totalCount: number;
  totalPages: number;
  clients: Client[];
}

export interface ClientPages {
  /** The clients from `offset` on, newest first, and how many match in all: both of one moment. */
  read(
    workspaceId: number,
    filter: ClientFilter,
    window: { offset: number; limit: number },
  ): Promise<{ totalCount: number; clients: Client[] }>;
}

export async function listClients(
  deps: { clients: ClientPages },
  workspaceId: number,
  request: ListClientsRequest,
): Promise<ClientsPage> {
  const { pageNumber, pageLimit } = request;
  const { totalCount, clients } = await deps.clients.read(workspaceId, foldFilter(request), {
    offset: (pageNumber - 1) * pageLimit,
    limit: pageLimit,
  });
  return { pageNumber, pageLimit, totalCount, totalPages: Math.ceil(totalCount / pageLimit), clients };
}

/** Text filters in the form in which the store compares them. */
export function foldFilter({ email, groupName, requestStatus, clientType }: ClientFilter): ClientFilter {
  return {
    email: email === undefined ? undefined : fold(email),
    groupName: groupName === undefined ? undefined : fold(groupName),
    requestStatus,
    clientType,
  };
}
