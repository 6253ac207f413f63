// The least that an import can do: it inserts the rows of a file into the table of clients with the same driver as the
// service, a thousand per transaction. The table has its indexes, but nothing is checked, counted or recorded. The database
// must have an account, and the file must come from an export of sample clients, which have no quotes in their cells.
import { readFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Client } from 'pg';
import { from } from 'pg-copy-streams';
import { openWriter } from '../../packages/server/src/store/engines/sqlite/open-file.ts';
import { clientTypeCode, requestStatusCode, SELECT_WORKSPACE } from './client-record.ts';

const ROWS_PER_TRANSACTION = 1000;
const COLUMNS =
  'workspace_id, id, reference_id, email, email_folded, name, client_type, group_id, request_status, client_status, created_at';
const ACTIVE = 1;

type ClientRow = (string | number)[];

const [databaseUrl = '', file = ''] = process.argv.slice(2);
const start = performance.now();
const inserted = databaseUrl.startsWith('sqlite:')
  ? intoSqlite(databaseUrl.slice('sqlite:'.length))
  : await intoPostgres(databaseUrl);
process.send?.({ inserted, seconds: (performance.now() - start) / 1000 });
process.disconnect?.();

function intoSqlite(path: string): number {
  // With the same settings as in the service, so that both have caches of the same size.
  const database = openWriter(path);
  const workspaceId = Number(database.prepare(SELECT_WORKSPACE).get()?.id);
  const places = COLUMNS.replaceAll(/\w+/g, '?');
  const insert = database.prepare(`insert into clients (${COLUMNS}) values (${places})`);
  let inserted = 0;
  for (const rows of readRows(workspaceId)) {
    database.exec('begin immediate');
    for (const row of rows) insert.run(...row);
    database.exec('commit');
    inserted += rows.length;
  }
  database.close();
  return inserted;
}

async function intoPostgres(connectionString: string): Promise<number> {
  const client = new Client({ connectionString });
  await client.connect();
  const workspaceId = Number((await client.query(SELECT_WORKSPACE)).rows[0]?.id);
  let inserted = 0;
  for (const rows of readRows(workspaceId)) {
    const stream = client.query(from(`copy clients (${COLUMNS}) from stdin`));
    stream.end(rows.map((row) => `${row.join('\t')}\n`).join(''));
    await finished(stream);
    inserted += rows.length;
  }
  await client.end();
  return inserted;
}

function* readRows(workspaceId: number): Generator<ClientRow[]> {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const columns = header.split(',');
  const groupIds = new Map<string, number>();
  let id = 0;
  const toRow = (line: string): ClientRow => {
    const cells = line.split(',');
    const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
    const group = cell('group_name');
    if (!groupIds.has(group)) groupIds.set(group, groupIds.size + 1);
    return [
      ...[workspaceId, ++id, cell('reference_id'), cell('email'), cell('email').toLowerCase()],
      ...[cell('client_name'), clientTypeCode(cell('client_type')), groupIds.get(group) ?? 0],
      ...[requestStatusCode(cell('request_status')), ACTIVE, Date.parse(cell('created_at'))],
    ];
  };
  for (let first = 0; first < lines.length; first += ROWS_PER_TRANSACTION) {
    yield lines.slice(first, first + ROWS_PER_TRANSACTION).map(toRow);
  }
}
