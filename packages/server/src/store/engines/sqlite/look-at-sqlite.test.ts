import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestStoreAt, temporaryFolder } from '../../../testing/test-store.ts';
import { lookAtSqlite } from './look-at-sqlite.ts';

test('a database that is reached by a link is looked at with the log that stands beside the file itself', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'real'));
  const link = join(folder, 'link.db');
  symlinkSync(join(folder, 'real', 'rollcall.db'), link);
  // Open, so that all of it is still in the log.
  await openTestStoreAt(`sqlite:${join(folder, 'real', 'rollcall.db')}`);
  expect((await lookAtSqlite(link))?.tables).toContain('accounts');
});
