// How the other servers read a client and write it as the API does.

const REQUEST_STATUS = ['pending', 'declined', 'completed', 'accepted', 'requested'];
const CLIENT_TYPE = ['individual', 'company'];
const CLIENT_STATUS = ['active', 'inactive'];

/** Selects the clients `c` with their groups `g`. */
export const SELECT_CLIENTS = `
  select c.id, c.reference_id, c.email, c.name, c.client_type, g.name as group_name, g.token as group_token,
    c.request_status, c.client_status, c.created_at
  from clients c left join groups g on g.workspace_id = c.workspace_id and g.id = c.group_id`;

export const SELECT_WORKSPACE = `select id from workspaces where environment = 'production'`;

export function requestStatusCode(word: string): number {
  return REQUEST_STATUS.indexOf(word) + 1;
}

export function clientTypeCode(word: string): number {
  return CLIENT_TYPE.indexOf(word) + 1;
}

/** A row as an array, in the order of the selected columns. */
export function arrayToRecord(row: readonly unknown[]) {
  const [, reference_id, email, name, client_type, group_name, group_token, request_status, client_status, created_at] =
    row;
  return toRecord({
    reference_id,
    email,
    name,
    client_type,
    group_name,
    group_token,
    request_status,
    client_status,
    created_at,
  });
}

export function toRecord(row: Record<string, unknown>) {
  const status = REQUEST_STATUS[Number(row.request_status) - 1] ?? '';
  return {
    reference_id: row.reference_id,
    email: row.email,
    client_name: row.name,
    client_type: CLIENT_TYPE[Number(row.client_type) - 1],
    group_name: row.group_name,
    group_token: row.group_token,
    request_status: status.charAt(0).toUpperCase() + status.slice(1),
    client_status: CLIENT_STATUS[Number(row.client_status) - 1],
    created_at: new Date(Number(row.created_at)).toISOString(),
  };
}
