import { expect, inject, test } from 'vitest';
import { migrateToSchema, withSchema } from '../../testing/migrate-to-schema.ts';
import { addOldRows } from '../../testing/old-clients.ts';
import { oldDatabase } from '../../testing/old-database.ts';
import { newDatabase } from '../../testing/test-store.ts';
import { openStore } from '../open-store.ts';
import { MIGRATION_NAMES, SCHEMA } from './migrate.ts';

test('a database of the oldest schema is upgraded with its clients, and every migration is reported once', async () => {
  const clients = 500;
  const url = await oldDatabase(inject('engine'), 1);
  for (const schema of [1, 2, 3, 4]) {
    await migrateToSchema(url, schema);
    await withSchema(url, (db) => addOldRows(db, schema, clients));
  }

  const store = openStore(url);
  const reported: string[] = [];
  await store.migrate({
    onBegin: ({ name, position, count }) => reported.push(`${position} of ${count}: ${name}`),
    onEnd: ({ name, milliseconds }) => {
      expect(reported.at(-1)).toContain(name);
      expect(milliseconds).toBeGreaterThanOrEqual(0);
    },
  });
  expect(reported).toEqual(MIGRATION_NAMES.slice(4).map((name, index) => `${index + 1} of ${SCHEMA - 4}: ${name}`));
  expect(await store.checkConsistency()).toEqual({ checked: { workspaces: 2, groups: 200, clients }, problems: [] });
  await store.close();
});

test('nothing is reported for a new database, and for one that is up to date', async () => {
  const store = openStore(await newDatabase(inject('engine')));
  const reported: string[] = [];
  const listener = { onBegin: () => reported.push('begun'), onEnd: () => reported.push('ended') };
  await store.migrate(listener);
  await store.migrate(listener);
  expect(reported).toEqual([]);
  await store.close();
});
