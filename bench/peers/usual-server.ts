// The list in a conventional implementation: Fastify and SQLite, one statement that counts and one with an offset, on the
// same file and so with the same indexes. The token is compared with a constant; there are no rate limits and no log.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import fastify from 'fastify';
import { clientTypeCode, requestStatusCode, SELECT_CLIENTS, SELECT_WORKSPACE, toRecord } from './client-record.ts';

const [file = '', token = ''] = process.argv.slice(2);

const database = new DatabaseSync(file, { readOnly: true });
const workspaceId = database.prepare(SELECT_WORKSPACE).get()?.id as number;
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
  const rows = prepare(`${SELECT_CLIENTS} where ${where} order by c.created_at desc, c.id desc limit ? offset ?`).all(
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
  if (query.request_status) add('c.request_status = ?', requestStatusCode(query.request_status));
  if (query.client_type) add('c.client_type = ?', clientTypeCode(query.client_type));
  if (query.client_email) add('c.email_folded = ?', query.client_email.toLowerCase());
  return { where: conditions.join(' and '), values };
}

function groupIdOf(name: string): number {
  const find = prepare('select id from groups where workspace_id = ? and name_folded = ?');
  return Number(find.get(workspaceId, name.toLowerCase())?.id ?? 0);
}
