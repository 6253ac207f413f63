import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { heapInUse } from '../../../testing/heap.ts';
import { newDatabase, openTestStoreAt } from '../../../testing/test-store.ts';
import type { Engine } from '../../engines/engine.ts';
import { openSqlite } from '../../engines/sqlite/sqlite.ts';
import { ANY, type FilterCombination } from './combination.ts';
import { INDEX_LEVELS } from './levels.ts';
import { ListCache } from './list-cache.ts';
import { ListUnion, WHOLE_LIST } from './list-union.ts';
import { type CountedList, PageFinder } from './page-finder.ts';

const MB = 1024 * 1024;
const WORKSPACE = 1;
const RUN = 256;
const START = 1_763_164_954_692;

/** A database in which the list of each group has this number of sections with this number of full runs. */
async function openIndexWith({ groups, sections, runs }: { groups: number; sections: number; runs: number }) {
  const url = await newDatabase('sqlite');
  await openTestStoreAt(url);
  const file = url.slice('sqlite:'.length);
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  const insert = database.prepare(
    'insert into client_runs (workspace_id, level, group_id, request_status, client_type, client_status, created_at, id, size, version) values (?, ?, ?, 0, 0, 0, ?, ?, ?, 1)',
  );
  database.exec('begin');
  for (let group = 1; group <= groups; group++) {
    for (let run = 0; run < sections * runs; run++) {
      const [time, id] = run === 0 ? [0, 0] : [START + run * 1000, run * RUN];
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

const STAMP = 'epoch.1';
const listOf = (groupId: number): FilterCombination => {
  return { groupId, requestStatus: ANY, clientType: ANY, clientStatus: ANY };
};
const nameOf = (groupId: number) => `group ${groupId}`;

async function loadList(engine: Engine, combination: FilterCombination) {
  const read = { db: engine.reads, engine, workspaceId: WORKSPACE, stamp: STAMP };
  const [list] = await PageFinder.loadAll(read, [{ combination, earlier: undefined }]);
  if (!list) throw new Error('There is no page finder.');
  return list;
}

const unionOf = (...lists: CountedList[]) => ({
  stamp: STAMP,
  union: new ListUnion({ lists, excluded: [] }, { range: WHOLE_LIST }),
});

test.for([
  { what: 'lists of one run', groups: 4000, sections: 1, runs: 1, asked: 4000 },
  { what: 'long lists, of which every page was asked for', groups: 20, sections: 40, runs: 100, asked: 20 },
])('the memory limit of the cached index is the memory that it really takes: $what', async ({ asked, ...shape }) => {
  const engine = await openIndexWith(shape);
  const bound = 2 * MB;
  const cache = new ListCache(INDEX_LEVELS, { listsBytes: bound });
  const before = heapInUse();
  for (let group = 1; group <= asked; group++) {
    const list = await loadList(engine, listOf(group));
    for (let section = 0; section < shape.sections; section++) {
      const position = { createdAt: START + section * shape.runs * 1000, id: section * shape.runs * RUN };
      await PageFinder.loadRunsAt({ db: engine.reads, engine, workspaceId: WORKSPACE }, [list], [position]);
      cache.keep(WORKSPACE, {}, unionOf(list));
    }
  }
  const taken = heapInUse() - before;
  expect(cache.pageFinder(WORKSPACE, listOf(asked))).toBeDefined();
  expect(cache.pageFinder(WORKSPACE, listOf(1))).toBeUndefined();
  expect(taken).toBeLessThan(bound * 1.15);
  expect(taken).toBeGreaterThan(bound * 0.5);
});

test.for([
  { what: 'long names of groups', filterOf: (n: number) => ({ groupName: `${n} ${'ж'.repeat(n % 120)}` }), lists: 1 },
  { what: 'many groups at once', filterOf: (n: number) => ({ groupTokens: [`token ${n}`] }), lists: 20 },
])('the cached filters take no more memory than their limit: $what', async ({ filterOf, lists }) => {
  const engine = await openIndexWith({ groups: lists, sections: 1, runs: 1 });
  const bound = 2 * MB;
  const cache = new ListCache(INDEX_LEVELS, { filtersBytes: bound });
  const asked: CountedList[] = [];
  for (let group = 1; group <= lists; group++) asked.push(await loadList(engine, listOf(group)));
  const before = heapInUse();
  // With combinations of their own, as when each filter is resolved by itself.
  const resolved = () => asked.map((list) => ({ ...list, combination: { ...list.combination } }));
  for (let n = 0; n < 20_000; n++) cache.keep(WORKSPACE, filterOf(n), unionOf(...resolved()));
  const taken = heapInUse() - before;
  expect(cache.find(WORKSPACE, filterOf(19_999))).toBeDefined();
  expect(cache.find(WORKSPACE, filterOf(0))).toBeUndefined();
  expect(taken).toBeLessThan(bound * 1.15);
  expect(taken).toBeGreaterThan(bound * 0.5);
});

test('a list that is used stays in the cache when others are added', async () => {
  const engine = await openIndexWith({ groups: 3000, sections: 1, runs: 1 });
  const cache = new ListCache(INDEX_LEVELS, { listsBytes: MB / 4, filtersBytes: MB / 4 });
  for (let group = 1; group <= 3000; group++) {
    cache.keep(WORKSPACE, { groupName: nameOf(group) }, unionOf(await loadList(engine, listOf(group))));
    expect(cache.find(WORKSPACE, { groupName: nameOf(1) })).toBeDefined();
  }
  expect(cache.find(WORKSPACE, { groupName: nameOf(2) })).toBeUndefined();
});
