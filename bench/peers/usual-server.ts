// The list in a conventional implementation: Fastify and SQLite, one statement that counts and one with an offset, on the
// same file and so with the same indexes. The token is compared with a constant; there are no rate limits and no log.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import fastify from 'fastify';

const [file = '', token = ''] = process.argv.slice(2);

const REQUEST_STATUS = ['pending', 'declined', 'completed', 'accepted', 'requested'];
const CLIENT_TYPE = ['individual', 'company'];
const CLIENT_STATUS = ['active', 'inactive'];

const database = new DatabaseSync(file, { readOnly: true });
const workspaceId = database.prepare(`select id from workspaces where environment = 'production'`).get()?.id as number;
const statements = new Map<string, StatementSync>();

interface ListQuery {
  page_no?: string;
  page_limit?: string;
  client_email?: string;
  group_name?: string;
  request_status?: string;
  client_type?: string;
}

const app = fastify();
app.get<{ Querystring: ListQuery }>('/api/v1/clients-list/', async (request, reply) => {
  if (request.headers.authorization !== `Bearer ${token}`) {
    return reply.code(401).send({ status_code: 401, message: 'Invalid access token.', data: null });
  }
  const pageNumber = Number(request.query.page_no ?? 1);
  const pageLimit = Number(request.query.page_limit ?? 10);
  const { where, values } = conditionsOf(request.query);
  const total = prepare(`select count(*) as total from clients c where ${where}`).get(...values)?.total as number;
  const rows = prepare(`
    select c.reference_id, c.email, c.name, c.client_type, g.name as group_name, g.token as group_token,
      c.request_status, c.client_status, c.created_at
    from clients c left join groups g on g.workspace_id = c.workspace_id and g.id = c.group_id
    where ${where} order by c.created_at desc, c.id desc limit ? offset ?`).all(
    ...values,
    pageLimit,
    (pageNumber - 1) * pageLimit,
  );
  const data = {
    page_number: pageNumber,
    total_count: total,
    page_limit: pageLimit,
    total_pages: Math.ceil(total / pageLimit),
    results: rows.map(toRecord),
  };
  return { status_code: 200, message: 'Success', data };
});
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));

function prepare(sql: string): StatementSync {
  let statement = statements.get(sql);
  if (!statement) {
    statement = database.prepare(sql);
    statements.set(sql, statement);
  }
  return statement;
}

function conditionsOf(query: ListQuery): { where: string; values: (string | number)[] } {
  const conditions = ['c.workspace_id = ?'];
  const values: (string | number)[] = [workspaceId];
  const add = (condition: string, value: string | number) => {
    conditions.push(condition);
    values.push(value);
  };
  if (query.group_name) add('c.group_id = ?', groupIdOf(query.group_name));
  if (query.request_status) add('c.request_status = ?', REQUEST_STATUS.indexOf(query.request_status) + 1);
  if (query.client_type) add('c.client_type = ?', CLIENT_TYPE.indexOf(query.client_type) + 1);
  if (query.client_email) add('c.email_folded = ?', query.client_email.toLowerCase());
  return { where: conditions.join(' and '), values };
}

function groupIdOf(name: string): number {
  const find = prepare('select id from groups where workspace_id = ? and name_folded = ?');
  return Number(find.get(workspaceId, name.toLowerCase())?.id ?? 0);
}

function toRecord(row: Record<string, unknown>) {
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
