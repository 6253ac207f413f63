import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type ListClientsRequest, listClients } from '../../../domain/clients/list-clients.ts';
import { REQUEST_STATUSES } from '../../../domain/clients/request-status.ts';
import { aClient, addClients, aWorkspace, TestClock } from '../../../testing/builders.ts';
import { onDatabase } from '../../../testing/raw-database.ts';
import { newDatabase, openTestStoreAt } from '../../../testing/test-store.ts';
import { INDEX_LEVELS } from '../../clients/client-index/levels.ts';
import { openStore, type Store } from '../../open-store.ts';

const COUNTED = ['clients', 'client_runs', 'client_events'];

/** A database with one workspace, whose server never analyzes tables by itself. */
async function aQuietDatabase() {
  const url = await newDatabase('postgres');
  const set = (what: string) =>
    Promise.all([...COUNTED, 'groups'].map((table) => onDatabase(url, `alter table ${table} ${what}`)));
  await set('set (autovacuum_enabled = off)');
  onTestFinished(async () => void (await set('reset (autovacuum_enabled)')));
  const store = await openTestStoreAt(url);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  return { url, store, workspaceId };
}

/** Clients in a few groups and with every status, one second apart. */
function clientsFrom(start: number, count: number) {
  return Array.from({ length: count }, (_, number) =>
    aClient({
      email: `c${start + number}@x.example`,
      groupName: `G${number % 3}`,
      type: number % 7 === 0 ? 'company' : 'individual',
      status: number % 11 === 0 ? 'inactive' : 'active',
      requestStatus: REQUEST_STATUSES[number % 5] ?? 'pending',
      createdAt: (start + number) * 1000,
    }),
  );
}

async function rowsAsCounted(url: string): Promise<Record<string, unknown>> {
  const names = COUNTED.map((name) => `'${name}'`).join();
  const rows = await onDatabase(url, `select relname, reltuples from pg_class where relname in (${names})`);
  return Object.fromEntries(rows.map(({ relname, reltuples }) => [relname, reltuples]));
}

test('a table is analyzed immediately after an import, and again when it has doubled', async () => {
  const { url, store, workspaceId } = await aQuietDatabase();
  await addClients(store, workspaceId, clientsFrom(0, 1200));
  await expect.poll(() => rowsAsCounted(url)).toMatchObject({ clients: 1200, client_events: 1200 });
  expect((await rowsAsCounted(url)).client_runs).toBeGreaterThan(0);

  // Not for every batch: the statistics are good enough until the table has doubled.
  await addClients(store, workspaceId, clientsFrom(1200, 600));
  await addClients(store, workspaceId, clientsFrom(1800, 700));
  await expect.poll(() => rowsAsCounted(url)).toMatchObject({ clients: 2500, client_events: 2500 });
});

test('neither an import nor the end of the process waits for another session that analyzes the table', async () => {
  const { url, store, workspaceId } = await aQuietDatabase();
  const other = new Client({ connectionString: url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('begin');
  await other.query('lock table clients, client_events, client_runs in share update exclusive mode');
  const importer = openStore(url);
  await addClients(importer, workspaceId, clientsFrom(0, 1200));
  await importer.close();
  // Never counted, or by the server itself before the test, when there were none.
  expect((await rowsAsCounted(url)).clients).toBeLessThanOrEqual(0);
  await other.query('rollback');

  // The skipped table is analyzed after the same number of further rows.
  await addClients(store, workspaceId, clientsFrom(1200, 1200));
  await expect.poll(() => rowsAsCounted(url)).toMatchObject({ clients: 2400 });
});

test.each([{ isAnalyzed: false }, { isAnalyzed: true }])(
  'no page reads more rows than the runs of its lists, with or without statistics: $isAnalyzed',
  async ({ isAnalyzed }) => {
    const { url, store, workspaceId } = await aQuietDatabase();
    await addClients(store, workspaceId, clientsFrom(0, MANY));
    // The import returns before the analysis is done, and each table's result is visible as soon as that table is done.
    await expect.poll(() => rowsAsCounted(url)).toMatchObject({ clients: MANY, client_events: MANY });
    await expect.poll(async () => (await rowsAsCounted(url)).client_runs).toBeGreaterThan(0);
    for (const table of ['clients', 'client_runs', 'groups']) await forgetStatistics(url, table);
    expect(await rowsAsCounted(url)).toMatchObject({ clients: -1, client_runs: -1 });
    if (isAnalyzed) await onDatabase(url, 'analyze');

    const statements = watchStatements();
    await readPages(store, workspaceId, isAnalyzed ? [...FILTERS, ...FILTERS_WITH_RANGES] : FILTERS);
    const reads = [...statements].filter(([text]) => /from clients|"clients"|client_runs/.test(text));
    expect(reads.length).toBeGreaterThanOrEqual(16);
    const database = new Client({ connectionString: url });
    await database.connect();
    onTestFinished(() => database.end());
    let counts = 0;
    for (const [text, values] of reads) {
      const { rows } = await database.query(`explain (analyze, format json) ${text}`, values);
      const plan: Plan = rows[0]['QUERY PLAN'][0].Plan;
      const shown = `${text}\n${JSON.stringify(plan, null, 1)}`;
      const lists = text.split(' union all ').length;
      expect(mostRowsOf(plan), shown).toBeLessThan(3 * lists * INDEX_LEVELS.runs.maxSize);
      if (!text.includes('counted') || !isAnalyzed) continue;
      // What an index scan passes over is in no number of the plan.
      for (const scan of scansOf(plan)) {
        if (!scan['Index Name'].includes('clients')) continue;
        counts++;
        expect(scan['Index Cond'], shown).toMatch(/ROW\(created_at, id\) >= .*ROW\(created_at, id\) < /);
        const columns = await columnsOf(database, scan['Index Name']);
        const filters = columns.slice(0, columns.indexOf('created_at'));
        for (const filter of filters) expect(scan['Index Cond'], shown).toContain(`(${filter} = `);
      }
    }
    expect(counts).toBe(isAnalyzed ? 7 : 0);
  },
);

/** Among fewer clients, PostgreSQL may count in the index of all clients if there are no statistics, which then costs little. */
const MANY = 12_000;

/** As if the table had never been analyzed. */
async function forgetStatistics(url: string, table: string): Promise<void> {
  await onDatabase(url, `delete from pg_statistic where starelid = '${table}'::regclass`);
  const unknown = 'reltuples = -1, relpages = 0, relallvisible = 0';
  await onDatabase(url, `update pg_class set ${unknown} where oid = '${table}'::regclass`);
}

const EVERY_GROUP = ['*'];

const FILTERS: Partial<ListClientsRequest>[] = [
  {},
  { groupName: 'G1' },
  { requestStatuses: ['pending'] },
  { groupName: 'G2', requestStatuses: ['completed'] },
  { requestStatuses: ['pending', 'completed', 'accepted'] },
  { groupTokens: EVERY_GROUP, order: 'oldest' },
  { createdFrom: 500_000, createdUntil: 3_000_000 },
  { groupTokens: EVERY_GROUP, requestStatuses: ['pending', 'declined'], createdFrom: 500_000, order: 'oldest' },
  { referenceIds: ['1700000000000-9999'] },
];

/**
 * The ranges of these are counted in every index. Without statistics, which the first import makes, some of them are counted
 * in the index of one filter.
 */
const FILTERS_WITH_RANGES: Partial<ListClientsRequest>[] = [
  { groupName: 'G1', createdFrom: 500_000, createdUntil: 3_000_000 },
  { groupName: 'G1', requestStatuses: ['pending'], createdFrom: 500_000, createdUntil: 3_000_000 },
  { groupName: 'G1', clientType: 'individual', createdFrom: 500_000 },
  { requestStatuses: ['pending'], clientType: 'individual', createdFrom: 500_000 },
  { groupName: 'G1', requestStatuses: ['pending'], clientType: 'individual', createdFrom: 500_000 },
  { groupName: 'G1', clientStatus: 'active' },
  { groupName: 'G1', clientStatus: 'inactive', createdFrom: 500_000 },
];

async function readPages(
  store: Store,
  workspaceId: number,
  filters: readonly Partial<ListClientsRequest>[],
): Promise<void> {
  const tokens = (await store.groups.list(workspaceId)).map(({ token }) => token);
  for (const { groupTokens, ...others } of filters) {
    const filter = { ...others, groupTokens: groupTokens && tokens };
    for (const pageNumber of [1, 3, 30, 9])
      await listClients(store, workspaceId, { ...filter, pageNumber, pageLimit: 5 });
  }
}

interface Plan {
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** The largest number of rows that a step of the plan has read at a time: from one list, or for one row of the step before. */
function mostRowsOf(plan: Plan): number {
  const { 'Actual Rows': found, 'Rows Removed by Filter': removed = 0, Plans: parts = [] } = plan;
  return Math.max(found + removed, ...parts.map(mostRowsOf));
}

type IndexScan = Plan & Required<Pick<Plan, 'Index Name' | 'Index Cond'>>;

function scansOf(plan: Plan): IndexScan[] {
  const own = plan['Index Name'] === undefined ? [] : [plan as IndexScan];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}

async function columnsOf(database: Client, index: string): Promise<string[]> {
  const found = await database.query('select attname from pg_attribute where attrelid = $1::regclass order by attnum', [
    index,
  ]);
  return found.rows.map(({ attname }) => attname);
}

/** All statements from now on, with their last values. */
function watchStatements(): Map<string, unknown[]> {
  const seen = new Map<string, unknown[]>();
  const { query } = Client.prototype;
  Client.prototype.query = function (this: Client, ...asked: unknown[]) {
    const [what, values] = asked as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
    if (typeof what === 'string') seen.set(what, values ?? []);
    else seen.set(what.text, what.values ?? []);
    return Reflect.apply(query, this, asked);
  } as typeof query;
  onTestFinished(() => {
    Client.prototype.query = query;
  });
  return seen;
}
