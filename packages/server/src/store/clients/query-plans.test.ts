import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, inject, onTestFinished, test } from 'vitest';
import { importClients } from '../../domain/clients/import-clients.ts';
import { listClients } from '../../domain/clients/list-clients.ts';
import { findClient } from '../../domain/clients/manage-clients.ts';
import { createGroup } from '../../domain/clients/manage-groups.ts';
import { mergeGroups } from '../../domain/clients/merge-groups.ts';
import { summariseClients } from '../../domain/clients/summarise-clients.ts';
import { KeyDirectory } from '../../domain/credentials/key-directory.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { openTestStore, temporaryFolder } from '../../testing/test-store.ts';
import { watchStatements } from '../../testing/watch-statements.ts';

/** These are plans of SQLite; PostgreSQL has its own statistics. */
test.runIf(inject('engine') === 'sqlite')(
  'no query of a list, an import, an export or a merge reads a whole workspace',
  async () => {
    const folder = temporaryFolder();
    const statements = watchStatements();
    const store = await openTestStore(folder);
    const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
    await addClients(store, workspaceId, [
      aClient({ email: 'ada@mail.example' }),
      aClient({ status: 'inactive', externalId: 'E1' }),
    ]);
    const change = { workspaceId, actor: TESTER };
    const cells = { email: 'ada@mail.example', client_name: 'Ada', client_type: 'company', group_name: 'G' };
    const rows = [
      { line: 2, cells },
      { line: 3, cells: { ...cells, reference_id: '1700000000001-1111' } },
    ];
    const deps = { ...store, clock: new TestClock() };
    for (const dryRun of [true, false])
      await importClients(deps, change, rows, {
        origin: { id: 'x', name: 'x' },
        dryRun,
        onReject: () => {},
      });
    await expect(findClient(store, workspaceId, '1700000000002-2222')).rejects.toThrow('There is no client');
    const page = { pageNumber: 1, pageLimit: 10 };
    await listClients(store, workspaceId, page);
    await listClients(store, workspaceId, {
      ...page,
      groupName: 'G',
      requestStatuses: ['requested'],
      clientType: 'company',
    });
    await listClients(store, workspaceId, { ...page, email: 'ada@mail.example' });
    await listClients(store, workspaceId, { ...page, referenceIds: ['1700000000002-2222'] });
    await listClients(store, workspaceId, { ...page, requestStatuses: ['requested', 'pending'], createdFrom: 1 });
    await listClients(store, workspaceId, { ...page, externalIds: ['E1'] });
    await listClients(store, workspaceId, { ...page, clientStatus: 'active', createdFrom: 1 });
    await listClients(store, workspaceId, { ...page, clientStatus: 'inactive', requestStatuses: ['requested'] });
    await Array.fromAsync(store.clients.readAll(workspaceId, {}));
    const groupTokens = (await store.groups.list(workspaceId)).slice(0, 1).map(({ token }) => token);
    await Array.fromAsync(store.clients.readAll(workspaceId, { groupTokens }));
    await Array.fromAsync(store.clients.readAll(workspaceId, { groupName: 'g', createdFrom: 1, createdUntil: 9 }));
    await createGroup(deps, change, 'New');
    expect(await mergeGroups(deps, change, 'Everyone', 'New')).toMatchObject({ clients: 2 });

    const database = new DatabaseSync(join(folder, 'rollcall.db'));
    onTestFinished(() => database.close());
    const plans = [...statements]
      .filter((statement) => /^\s*(select|with)/i.test(statement) && /clients/.test(statement))
      .map((statement) => ({ statement, steps: planOf(database, statement) }));
    expect(plans.length).toBeGreaterThan(5);
    const emails = plans.filter(({ statement }) => /exists \(\s*select 1 from clients/.test(statement));
    expect(emails.length).toBeGreaterThan(0);
    for (const { statement, steps } of emails) {
      expect(steps.join('\n'), statement).toContain('clients_by_email (workspace_id=? AND email_folded=?');
    }
    const byReference = plans.filter(({ statement }) => /"clients.*"reference_id" (=|in|>=)/.test(statement));
    expect(byReference.length).toBeGreaterThanOrEqual(3);
    for (const { statement, steps } of byReference) {
      const uses = /clients_by_workspace_reference \(workspace_id=\? AND reference_id|erased_clients USING/;
      expect(
        steps.some((step) => uses.test(step)),
        `${statement}\n${steps.join('\n')}`,
      ).toBe(true);
    }
    for (const { statement, steps } of plans) {
      for (const step of steps) {
        expect(step, statement).not.toMatch(/SCAN clients|TEMP B-TREE/);
        // Only the time, and not the position: all clients with the same time would be read again and again.
        expect(step, statement).not.toMatch(/AND created_at[<>]\?/);
        // A scan in the order of the list is fine as long as there is a limit.
        if (step.includes('clients_by_time') && statement.includes(' limit ')) continue;
        expect(step, statement).not.toMatch(/clients USING .*\(workspace_id=\?\)$/);
      }
    }
  },
);

const EVERY_LIST = [undefined, 'G'].flatMap((groupName) =>
  [undefined, 'pending' as const].flatMap((status) =>
    [undefined, 'company' as const].flatMap((clientType) =>
      [undefined, 'inactive' as const].map((clientStatus) => {
        return { groupName, requestStatuses: status && [status], clientType, clientStatus };
      }),
    ),
  ),
);

test.runIf(inject('engine') === 'sqlite')(
  'a part of any list is counted, and a run is split, by reading only the clients in between',
  async () => {
    const folder = temporaryFolder();
    const statements = watchStatements();
    const store = await openTestStore(folder);
    const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
    const fields = { groupName: 'G', requestStatus: 'pending', type: 'company', status: 'inactive' } as const;
    // A newer one, because the runs of the newest clients are split without reading them.
    await addClients(store, workspaceId, [aClient({ ...fields, createdAt: 8 })]);
    // More than a run, all with the same time.
    await addClients(
      store,
      workspaceId,
      Array.from({ length: 300 }, () => aClient({ ...fields, createdAt: 7 })),
    );
    for (const list of EVERY_LIST) {
      await listClients(store, workspaceId, { ...list, createdFrom: 5, createdUntil: 9, pageNumber: 2, pageLimit: 10 });
    }
    const database = new DatabaseSync(join(folder, 'rollcall.db'));
    onTestFinished(() => database.close());
    const counts = [...statements].filter((statement) => statement.includes('as counted'));
    expect(counts).toHaveLength(EVERY_LIST.length);
    const splits = [...statements].filter((statement) => statement.includes('with recursive stepped'));
    expect(splits.length).toBeGreaterThan(1);
    for (const statement of [...counts, ...splits]) {
      const steps = planOf(database, statement).filter((step) => /clients_by/.test(step));
      expect(steps.length, statement).toBeGreaterThan(0);
      for (const step of steps) expect(step, statement).toMatch(/=\? AND \(created_at,id\)>\(\?,\?\)/);
    }
    for (const statement of counts) {
      expect(planOf(database, statement).join('\n'), statement).toMatch(/\(created_at,id\)<\(\?,\?\)/);
    }
  },
);

test.runIf(inject('engine') === 'sqlite')('a run is recounted by reading that run alone', async () => {
  const folder = temporaryFolder();
  const statements = watchStatements();
  const store = await openTestStore(folder);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  await addClients(store, workspaceId, [aClient()]);
  await store.checkConsistency();

  const database = new DatabaseSync(join(folder, 'rollcall.db'));
  onTestFinished(() => database.close());
  const recounts = [...statements].filter((statement) => /count\(\*\) from clients/.test(statement));
  expect(recounts.length).toBeGreaterThan(0);
  for (const statement of recounts) {
    const reads = planOf(database, statement).filter((step) => step.includes(' clients '));
    expect(reads.length).toBeGreaterThan(0);
    for (const read of reads)
      expect(read, statement).toMatch(/\(created_at,id\)>\(\?,\?\) AND \(created_at,id\)<\(\?,\?\)/);
  }
});

test.runIf(inject('engine') === 'sqlite')(
  'looking for changed keys reads only an index, and finding one key or secret reads only its own rows',
  async () => {
    const folder = temporaryFolder();
    const statements = watchStatements();
    const store = await openTestStore(folder);
    await aWorkspace(store, new TestClock(), 'a@firm.example');
    statements.clear();
    await new KeyDirectory({ keys: store.keys, clock: new TestClock() }).load();
    await store.keys.changedSince(new Map());
    await store.keys.factsOf(['key_1']);
    await store.keys.byHash('hash');

    const database = new DatabaseSync(join(folder, 'rollcall.db'));
    onTestFinished(() => database.close());
    const looks = [...statements].filter((statement) => /^select .* from "api_key/.test(statement));
    const ofSome = looks.filter((look) => / in \(|"hash" = /.test(look));
    expect(ofSome).toHaveLength(3);
    for (const look of ofSome) {
      const reads = planOf(database, look).filter((step) => / (api_key|found)/.test(step));
      expect(reads.length, look).toBeGreaterThan(0);
      for (const read of reads)
        expect(read, look).toMatch(/^SEARCH \w+ USING INDEX \w+ \((\w+=\? AND )?(hash|\w*id)=\?\)$/);
    }
    const sums = looks.filter((look) => look.includes('sum("version")'));
    expect(sums.flatMap((sum) => planOf(database, sum))).toEqual([
      'SCAN api_keys USING COVERING INDEX api_keys_versions',
    ]);
    const newest = looks.filter((look) => look.includes('max("version")'));
    expect(newest.flatMap((look) => planOf(database, look))).toEqual([
      'SCAN api_keys USING COVERING INDEX api_keys_versions',
    ]);
    const newer = [...statements].filter((statement) => statement.includes('k.version >'));
    expect(newer).toHaveLength(1);
    expect(newer.flatMap((look) => planOf(database, look)).join()).toMatch(
      /SEARCH k USING INDEX api_keys_versions \(workspace_id=\? AND version>\?\)/,
    );
  },
);

test.runIf(inject('engine') === 'sqlite')('adding up recent calls reads only those of recent hours', async () => {
  const folder = temporaryFolder();
  const statements = watchStatements();
  const store = await openTestStore(folder);
  statements.clear();
  await store.keyUsage.hoursOfWorkspace(1, 5);
  await store.keyUsage.ofKeys(1, 5);

  const database = new DatabaseSync(join(folder, 'rollcall.db'));
  onTestFinished(() => database.close());
  const sums = [...statements].filter((statement) => statement.includes('from "key_usage"'));
  expect(sums).toHaveLength(2);
  for (const sum of sums) {
    expect(planOf(database, sum)[0]).toBe(
      'SEARCH key_usage USING COVERING INDEX key_usage_by_workspace_hour (workspace_id=? AND hour>?)',
    );
  }
});

test.runIf(inject('engine') === 'sqlite')(
  'counts of groups and slices of searches are read with an index, without sorting or reading other rows',
  async () => {
    const folder = temporaryFolder();
    const statements = watchStatements();
    const store = await openTestStore(folder);
    const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
    await addClients(store, workspaceId, [aClient({ groupName: 'G' }), aClient({ groupName: 'H' })]);
    statements.clear();
    await store.groups.list(workspaceId);
    await summariseClients(store, workspaceId, {});
    await summariseClients(store, workspaceId, { clientStatus: 'active', createdFrom: 5 });
    const window = { offset: 0, limit: 10 };
    const words = ['client'];
    const searches = [
      { words },
      { words, groupName: 'g' },
      { words, requestStatuses: ['pending'], clientType: 'company' },
      { words, createdFrom: 5, createdUntil: 9 },
    ] as const;
    for (const search of searches) {
      await store.searches.find(workspaceId, search, window);
      await Array.fromAsync(store.clients.readAll(workspaceId, search));
    }

    const database = new DatabaseSync(join(folder, 'rollcall.db'));
    onTestFinished(() => database.close());
    const reads = [...statements].filter((statement) => /^select .* from "(clients|client_runs)"/.test(statement));
    expect(reads.length).toBeGreaterThan(10);
    for (const statement of reads) {
      const steps = planOf(database, statement);
      const plan = `${statement}\n${steps.join('\n')}`;
      for (const step of steps) expect(step, plan).not.toMatch(/^SCAN clients|SCAN client_runs|TEMP B-TREE/);
    }
    const ofGroup = reads.filter((statement) => /"groups"."name_folded" = /.test(statement));
    expect(ofGroup.length).toBeGreaterThan(0);
    for (const statement of ofGroup) {
      // The clients that the index of words has found are looked up, and not searched for among those of the group.
      const isFound = statement.includes('"clients"."id" in (');
      const uses = isFound ? /clients USING PRIMARY KEY \(workspace_id=\? AND id=\?\)/ : /clients_by_group_and_status /;
      expect(planOf(database, statement).join('\n'), statement).toMatch(uses);
    }
  },
);

test.runIf(inject('engine') === 'sqlite')(
  'the next job and the latest bulk changes are found without reading those that are over',
  async () => {
    const folder = temporaryFolder();
    const statements = watchStatements();
    const store = await openTestStore(folder);
    await store.bulkChanges.latest(1, 5);
    await store.bulkChanges.claim('runner', 0);
    await store.imports.claim('runner', 0);
    const database = new DatabaseSync(join(folder, 'rollcall.db'));
    onTestFinished(() => database.close());
    const plans = [...statements]
      .filter((statement) => /^select .* from "(bulk_changes|import_jobs)"/.test(statement))
      .map((statement) => planOf(database, statement)[0]);
    expect(plans.sort()).toEqual([
      'SCAN bulk_changes USING INDEX open_bulk_changes',
      'SCAN import_jobs USING INDEX open_import_jobs',
      'SEARCH bulk_changes USING INDEX bulk_changes_by_end (workspace_id=? AND ended_at>?)',
      'SEARCH bulk_changes USING INDEX open_bulk_changes (workspace_id=?)',
    ]);
  },
);

function planOf(database: DatabaseSync, statement: string): string[] {
  return database
    .prepare(`explain query plan ${statement}`)
    .all()
    .map((row) => String(row.detail));
}
