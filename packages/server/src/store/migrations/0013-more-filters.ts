import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from './dialect.ts';
import { raiseOldestSchema } from './raise-oldest-schema.ts';

/** The list indexes of the first schema: the columns of their filters, and how many clients have the same values in them. */
const LIST_INDEXES: Record<string, { columns: string[]; same: number[] }> = {
  time: { columns: [], same: [] },
  group: { columns: ['group_id'], same: [20_000] },
  request_status: { columns: ['request_status'], same: [200_000] },
  type: { columns: ['client_type'], same: [500_000] },
  group_request_status: { columns: ['group_id', 'request_status'], same: [20_000, 4000] },
  group_type: { columns: ['group_id', 'client_type'], same: [20_000, 10_000] },
  request_status_type: { columns: ['request_status', 'client_type'], same: [200_000, 100_000] },
  group_request_status_type: {
    columns: ['group_id', 'request_status', 'client_type'],
    same: [20_000, 4000, 2000],
  },
};

const INACTIVE = 2;

/**
 * Adds the external id of a client, and what lists of active and of inactive clients need: the status of the client as the
 * last column of every list index, so that active clients are found without reading others, and lists of the inactive ones.
 */
export const moreFilters = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    // What takes long comes first, because on PostgreSQL lists can be read meanwhile, but not after the first other change.
    for (const [name, { columns }] of Object.entries(LIST_INDEXES)) {
      const position = ['workspace_id', ...columns, 'created_at', 'id'];
      await sql`create index ${sql.ref(newName(name))} on clients (${columnList([...position, 'client_status'])})`.execute(
        db,
      );
      await sql`create index ${sql.ref(`inactive_clients_by_${name}`)} on clients (${columnList(position)})
        where client_status = ${sql.lit(INACTIVE)}`.execute(db);
    }
    for (const name of Object.keys(LIST_INDEXES)) await sql`drop index ${sql.ref(`clients_by_${name}`)}`.execute(db);
    await db.schema.alterTable('clients').addColumn('external_id', 'text').execute();
    await sql`create unique index clients_by_external_id on clients (workspace_id, external_id)
      where external_id is not null`.execute(db);
    if (dialect === 'sqlite') await describeIndexes(db);
    await addClientStatusToRuns(db, dialect);
    for (const { columns } of Object.values(LIST_INDEXES)) await countInactive(db, columns);
    // An older program that is still running counts inactive clients twice. What it answers must not be taken for current.
    await sql`update workspaces set version = version + 1`.execute(db);
    await raiseOldestSchema(13, db);
  },
});

/** The old index exists until the new one is complete. */
function newName(name: string): string {
  return `clients_by_${name}_and_status`;
}

/** As in the first schema. The statistics of the old indexes were deleted with them. */
async function describeIndexes(db: Kysely<unknown>): Promise<void> {
  const [all, workspace] = [10_000_000, 1_000_000];
  const figures: Record<string, number[]> = { clients_by_external_id: [all, workspace, 1] };
  for (const [name, { same }] of Object.entries(LIST_INDEXES)) {
    figures[newName(name)] = [all, workspace, ...same, 1, 1, 1];
    figures[`inactive_clients_by_${name}`] = [all, workspace, ...same, 1, 1].map((rows) => Math.ceil(rows / 20));
  }
  for (const [index, rows] of Object.entries(figures)) {
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values ('clients', ${index}, ${rows.join(' ')})`.execute(db);
  }
}

const RUN_KEY = [
  'workspace_id',
  'level',
  'group_id',
  'request_status',
  'client_type',
  'client_status',
  'created_at',
  'id',
];

/** The existing lists contain clients of any status. */
async function addClientStatusToRuns(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const key = columnList(RUN_KEY);
  if (dialect === 'postgres') {
    await sql`alter table client_runs add column client_status smallint not null default 0`.execute(db);
    await sql`alter table client_runs alter column client_status drop default`.execute(db);
    await sql`alter table client_runs drop constraint client_runs_pk`.execute(db);
    await sql`alter table client_runs add constraint client_runs_pk primary key (${key})`.execute(db);
    return;
  }
  await sql`alter table client_runs rename to old_client_runs`.execute(db);
  await sql`create table client_runs (
    workspace_id integer not null,
    level smallint not null,
    group_id integer not null,
    request_status smallint not null,
    client_type smallint not null,
    client_status smallint not null,
    created_at bigint not null,
    id bigint not null,
    size integer not null,
    version bigint not null,
    constraint client_runs_pk primary key (${key})
  ) without rowid`.execute(db);
  await sql`
    insert into client_runs
    select workspace_id, level, group_id, request_status, client_type, 0, created_at, id, size, version
    from old_client_runs`.execute(db);
  await sql`drop table old_client_runs`.execute(db);
}

/** New runs and sections, three quarters full. A section begins where a run does. */
const SIZES = { 0: 192, 1: 192 * 256 };

/** Adds the runs and sections of the inactive clients for one set of filters. The first of each list begins before all clients. */
async function countInactive(db: Kysely<unknown>, columns: string[]): Promise<void> {
  const list = columnList(['workspace_id', ...columns]);
  const filter = (column: string) => (columns.includes(column) ? sql.ref(column) : sql.lit(0));
  for (const [level, size] of Object.entries(SIZES)) {
    const length = sql.lit(size);
    await sql`
      insert into client_runs
        (workspace_id, level, group_id, request_status, client_type, client_status, created_at, id, size, version)
      select workspace_id, ${sql.lit(Number(level))}, ${filter('group_id')}, ${filter('request_status')},
        ${filter('client_type')}, ${sql.lit(INACTIVE)},
        case when number = 0 then 0 else created_at end, case when number = 0 then 0 else id end,
        case when total - number < ${length} then total - number else ${length} end,
        (select version from workspaces where workspaces.id = numbered.workspace_id)
      from (
        select workspace_id, group_id, request_status, client_type, created_at, id,
          row_number() over (partition by ${list} order by created_at, id) - 1 as number,
          count(*) over (partition by ${list}) as total
        from clients where client_status = ${sql.lit(INACTIVE)}
      ) as numbered
      where number % ${length} = 0`.execute(db);
  }
}

function columnList(columns: readonly string[]) {
  return sql.join(columns.map((column) => sql.ref(column)));
}
