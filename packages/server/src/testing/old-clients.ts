import { type Kysely, sql } from 'kysely';

const GROUPS = 200;
const FIRST_TIME = Date.parse('2020-01-01T00:00:00Z');
const INTERVAL_MS = 60_000;

/** One of so many clients was changed, and one of so many changes is in the activity log. */
const CHANGED = 10;
const RECORDED = 100;

/** Runs and sections that are three quarters full, as after imports. */
const SIZES = { 0: 192, 1: 192 * 256 };
const LISTS = [
  [],
  ['group_id'],
  ['request_status'],
  ['client_type'],
  ['group_id', 'request_status'],
  ['group_id', 'client_type'],
  ['request_status', 'client_type'],
  ['group_id', 'request_status', 'client_type'],
];

/**
 * Adds the rows of an account with many clients to a database of an old schema. `schema` is the one that the database has: each
 * adds what an older one had no table for.
 */
export async function addOldRows(db: Kysely<unknown>, schema: number, clients: number): Promise<void> {
  if (schema === 1) await addAccount(db, clients);
  if (schema === 3) await addHistory(db, clients);
  if (schema === 4) for (const columns of LISTS) await countClients(db, columns);
}

async function addAccount(db: Kysely<unknown>, clients: number): Promise<void> {
  await sql`insert into accounts (name, created_at) values ('Firm', ${FIRST_TIME})`.execute(db);
  await sql`insert into members (account_id, email, email_folded, role, password_hash, created_at)
    values (1, 'owner@firm.example', 'owner@firm.example', 'owner', 'none', ${FIRST_TIME})`.execute(db);
  await sql`insert into workspaces (account_id, environment, version, last_group_id, last_client_id)
    values (1, 'production', 1, ${GROUPS}, ${clients}), (1, 'sandbox', 0, 0, 0)`.execute(db);
  for (let id = 1; id <= GROUPS; id++) {
    const token = `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
    await sql`insert into groups (workspace_id, id, token, name, name_folded, created_at)
      values (1, ${id}, ${token}, ${`Group ${id}`}, ${`group ${id}`}, ${FIRST_TIME})`.execute(db);
  }
  await sql`insert into clients (workspace_id, id, reference_id, email, email_folded, name, client_type, group_id,
      request_status, client_status, created_at)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(clients)})
    select 1, n, cast(${timeOf('n')} as text) || '-' || cast(1000 + n % 9000 as text),
      'person' || cast(n as text) || '@mail.example', 'person' || cast(n as text) || '@mail.example',
      'First' || cast(n % 997 as text) || ' Last' || cast(n % 4999 as text),
      1 + n % 2, 1 + n % ${sql.lit(GROUPS)}, 1 + n % 5, case when n % 20 = 0 then 2 else 1 end, ${timeOf('n')}
    from numbers`.execute(db);
}

async function addHistory(db: Kysely<unknown>, clients: number): Promise<void> {
  await sql`insert into client_events (workspace_id, client_id, version, at, actor, kind, changed_from, changed_to)
    select workspace_id, id, 1, created_at, 'owner@firm.example', 2,
      '{"request_status":"requested"}', '{"request_status":"accepted"}'
    from clients where workspace_id = 1 and id % ${sql.lit(CHANGED)} = 0`.execute(db);
  await sql`insert into activity (account_id, at, id, member, action, subject, environment, address)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(Math.ceil(clients / RECORDED))})
    select 1, ${timeOf('n')}, 'entry-' || cast(n as text), 'owner@firm.example', 'client.changed',
      'person', 'production', '127.0.0.1'
    from numbers`.execute(db);
}

/** In the range of numbers that neither engine takes for 32-bit ones. */
function timeOf(number: string) {
  return sql`(${sql.lit(FIRST_TIME)} + cast(${sql.ref(number)} as bigint) * ${sql.lit(INTERVAL_MS)})`;
}

/** Adds the runs and sections of one set of filters. The first of each list begins before all clients. */
async function countClients(db: Kysely<unknown>, columns: string[]): Promise<void> {
  const list = sql.join(['workspace_id', ...columns].map((column) => sql.ref(column)));
  const filter = (column: string) => (columns.includes(column) ? sql.ref(column) : sql.lit(0));
  for (const [level, size] of Object.entries(SIZES)) {
    const length = sql.lit(size);
    await sql`
      insert into client_runs (workspace_id, level, group_id, request_status, client_type, created_at, id, size, version)
      select workspace_id, ${sql.lit(Number(level))}, ${filter('group_id')}, ${filter('request_status')},
        ${filter('client_type')}, case when number = 0 then 0 else created_at end, case when number = 0 then 0 else id end,
        case when total - number < ${length} then total - number else ${length} end, 1
      from (
        select workspace_id, group_id, request_status, client_type, created_at, id,
          row_number() over (partition by ${list} order by created_at, id) - 1 as number,
          count(*) over (partition by ${list}) as total
        from clients
      ) as numbered
      where number % ${length} = 0`.execute(db);
  }
}
