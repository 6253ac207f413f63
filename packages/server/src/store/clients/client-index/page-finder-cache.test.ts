import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { heapInUse } from '../../../testing/heap.ts';
import { newDatabase, openTestStoreAt } from '../../../testing/test-store.ts';
import { openSqlite } from '../../engines/sqlite/sqlite.ts';
import { ANY, type FilterCombination } from './combination.ts';
import { PageFinder } from './page-finder.ts';
import { PageFinderCache } from './page-finder-cache.ts';

const MB = 1024 * 1024;
const WORKSPACE = 1;
const RUN = 256;

/** A database in which the list of each group has this number of sections with this number of full runs. */
async function openIndexWith({ groups, sections, runs }: { groups: number; sections: number; runs: number }) {
  const url = await newDatabase('sqlite');
  await openTestStoreAt(url);
  const file = url.slice('sqlite:'.length);
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  const insert = database.prepare(
    'insert into client_runs (workspace_id, level, group_id, request_status, client_type, created_at, id, size, version) values (?, ?, ?, 0, 0, ?, ?, ?, 1)',
  );
  database.exec('begin');
  for (let group = 1; group <= groups; group++) {
    for (let run = 0; run < sections * runs; run++) {
      const [time, id] = run === 0 ? [0, 0] : [1_763_164_954_692 + run * 1000, run * RUN];
      if (run % runs === 0) insert.run(WORKSPACE, 1, group, time, id, RUN * runs);
      insert.run(WORKSPACE, 0, group, time, id, RUN);
    }
  }
  database.exec('commit');
  database.close();
  const engine = openSqlite(file);
  onTestFinished(() => engine.close());
  return engine;
}

const listOf = (groupId: number): FilterCombination => ({ groupId, requestStatus: ANY, clientType: ANY });
const nameOf = (groupId: number) => `group ${groupId}`;

test.for([
  { what: 'lists of nobody', groups: 0, sections: 0, runs: 0, asked: 6000 },
  { what: 'lists of one run', groups: 4000, sections: 1, runs: 1, asked: 4000 },
  { what: 'long lists, of which every page was asked for', groups: 20, sections: 40, runs: 100, asked: 20 },
])('the memory limit of the cached index is the memory that it really takes: $what', async ({ asked, ...shape }) => {
  const engine = await openIndexWith(shape);
  const bound = 2 * MB;
  const pageFinders = new PageFinderCache({ listsBytes: bound });
  const before = heapInUse();
  for (let group = 1; group <= asked; group++) {
    const combination = listOf(group);
    const pageFinder = await PageFinder.load(engine.reads, WORKSPACE, combination, undefined);
    pageFinders.keep(WORKSPACE, {}, { combination, pageFinder });
    for (let section = 0; section < shape.sections; section++) {
      const offset = 1 + section * shape.runs * RUN;
      await pageFinder.loadFor(engine.reads, WORKSPACE, combination, offset);
      pageFinders.keep(WORKSPACE, {}, { combination, pageFinder });
    }
  }
  const taken = heapInUse() - before;
  expect(pageFinders.get(WORKSPACE, listOf(asked))).toBeDefined();
  expect(pageFinders.get(WORKSPACE, listOf(1))).toBeUndefined();
  expect(taken).toBeLessThan(bound * 1.15);
  expect(taken).toBeGreaterThan(bound * 0.5);
});

test('the cached names take no more memory than their limit, however long they are', async () => {
  const engine = await openIndexWith({ groups: 0, sections: 0, runs: 0 });
  const bound = 2 * MB;
  const pageFinders = new PageFinderCache({ namesBytes: bound });
  const combination = listOf(1);
  const pageFinder = await PageFinder.load(engine.reads, WORKSPACE, combination, undefined);
  const before = heapInUse();
  for (let n = 0; n < 20_000; n++) {
    pageFinders.keep(WORKSPACE, { groupName: `${n} ${'ж'.repeat(n % 120)}` }, { combination, pageFinder });
  }
  const taken = heapInUse() - before;
  expect(pageFinders.find(WORKSPACE, { groupName: `19999 ${'ж'.repeat(79)}` })).toBeDefined();
  expect(taken).toBeLessThan(bound * 1.15);
  expect(taken).toBeGreaterThan(bound * 0.5);
});

test('a list or a name that is used stays in the cache when others are added', async () => {
  const engine = await openIndexWith({ groups: 0, sections: 0, runs: 0 });
  const pageFinders = new PageFinderCache({ listsBytes: MB / 4, namesBytes: MB / 4 });
  for (let group = 1; group <= 3000; group++) {
    const combination = listOf(group);
    const pageFinder = await PageFinder.load(engine.reads, WORKSPACE, combination, undefined);
    pageFinders.keep(WORKSPACE, { groupName: nameOf(group) }, { combination, pageFinder });
    expect(pageFinders.find(WORKSPACE, { groupName: nameOf(1) })).toBeDefined();
  }
  expect(pageFinders.find(WORKSPACE, { groupName: nameOf(2) })).toBeUndefined();
});
