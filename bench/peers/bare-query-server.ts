// The least that a server can do to answer from the database: the bare HTTP module and one prepared statement for the rows
// of the response, with the same driver as the service. It knows where every page begins, so it neither counts nor skips.
// There are no access tokens, totals, filters, limits and log lines.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIST_PATH, TOKEN_PATH } from '../measure/workloads.ts';
import { openDriver, type Row } from './bare-driver.ts';
import { arrayToRecord, SELECT_CLIENTS, SELECT_WORKSPACE } from './client-record.ts';

const [databaseUrl = ''] = process.argv.slice(2);
const PAGE_LIMIT = 10;

const driver = openDriver(databaseUrl);
const workspaceId = Number((await driver.prepare(SELECT_WORKSPACE)())[0]?.[0]);
// The limit is cast because SQLite would otherwise prepare the statement again for every request.
const readPage = driver.prepare(
  `${SELECT_CLIENTS} where c.workspace_id = $1 and (c.created_at, c.id) < ($2, $3)
   order by c.created_at desc, c.id desc limit cast($4 as integer)`,
);
const readByEmail = driver.prepare(`${SELECT_CLIENTS} where c.workspace_id = $1 and c.email_folded = $2`);
const readKey = driver.prepare(
  `select * from api_key_secrets s join api_keys k on k.workspace_id = s.workspace_id and k.id = s.key_id
   where s.hash = $1`,
);

/** The position of a client in the list. */
type Position = readonly [createdAt: number, id: number];
const BEFORE_ALL: Position = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
const pageStarts = await readPageStarts();
/** As long as an access token of the service. */
const TOKEN = 'x'.repeat(500);

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => {
    response.statusCode = 500;
    response.end(error.message);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const [path, query = ''] = (request.url ?? '').split('?', 2);
  if (path === TOKEN_PATH) return exchange(String(request.headers['api-key']), response);
  const parameters = new URLSearchParams(query);
  const email = parameters.get('client_email');
  if (email !== null) return send(response, await readByEmail(workspaceId, email.toLowerCase()));

  const limit = Number(parameters.get('page_limit') ?? PAGE_LIMIT);
  const start = startOf(parameters);
  const rows = await readPage(workspaceId, ...start, limit);
  const last = rows.at(-1);
  if (last && rows.length === limit) {
    const after = [last.at(-1), last[0]].join(',');
    response.setHeader('Link', `<${LIST_PATH}?page_limit=${limit}&after=${after}>; rel="next"`);
  }
  send(response, rows);
}

async function exchange(secret: string, response: ServerResponse): Promise<void> {
  const [key] = await readKey(createHash('sha256').update(secret).digest('hex'));
  response.statusCode = key ? 200 : 401;
  response.end(JSON.stringify({ status_code: 200, message: 'Success', data: { access_token: TOKEN } }));
}

function send(response: ServerResponse, rows: Row[]): void {
  response.end(JSON.stringify({ status_code: 200, message: 'Success', data: { results: rows.map(arrayToRecord) } }));
}

/** Only the client before the page is needed, whatever the number of the page. */
function startOf(parameters: URLSearchParams): Position {
  const [createdAt, id] = (parameters.get('after') ?? '').split(',');
  if (createdAt && id) return [Number(createdAt), Number(id)];
  return pageStarts[Number(parameters.get('page_no') ?? 1) - 1] ?? BEFORE_ALL;
}

/** The last client before every page of the whole list. */
async function readPageStarts(): Promise<Position[]> {
  const read = driver.prepare(
    `select created_at, id from (
       select created_at, id, row_number() over (order by created_at desc, id desc) as number
       from clients where workspace_id = $1
     ) as numbered where number % ${PAGE_LIMIT} = 0 order by number`,
  );
  const rows = await read(workspaceId);
  return [BEFORE_ALL, ...rows.map(([createdAt, id]): Position => [Number(createdAt), Number(id)])];
}
