import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestStoreAt, temporaryFolder } from '../../../testing/test-store.ts';
import { inspectSqlite } from './inspect-sqlite.ts';

test('a database behind a symbolic link is read with the log beside the target file', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'real'));
  const link = join(folder, 'link.db');
  symlinkSync(join(folder, 'real', 'rollcall.db'), link);
  // Open, so that all data is still in the log.
  await openTestStoreAt(`sqlite:${join(folder, 'real', 'rollcall.db')}`);
  expect((await inspectSqlite(link))?.tables).toContain('accounts');
});
