import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../testing/test-store.ts';
import { openSqlite } from './sqlite.ts';

const LONG_BYTES = 5 * 1024 * 1024;

test.each([
  ['a file', (file: string) => file],
  [
    'a link to a file',
    (file: string) => {
      symlinkSync(file, `${file}.link`);
      return `${file}.link`;
    },
  ],
])('the log of %s is emptied once it has become long and stopped growing', async (_, reach) => {
  const file = join(temporaryFolder(), 'rollcall.db');
  const engine = openSqlite(reach(file));
  onTestFinished(() => engine.close());
  await engine.migrate();
  const logBytes = () => statSync(`${file}-wal`).size;
  await engine.write((db) =>
    db
      .insertInto('accounts')
      .values({ name: 'a'.repeat(LONG_BYTES), created_at: 0 })
      .execute(),
  );
  expect(logBytes()).toBeGreaterThan(LONG_BYTES);
  await expect.poll(logBytes, { timeout: 30_000 }).toBe(0);
});
