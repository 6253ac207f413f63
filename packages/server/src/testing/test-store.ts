import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore, type Store } from '../store/open-store.ts';

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A real store on a new database, closed when the test is over. */
export async function openTestStore(folder = temporaryFolder()): Promise<Store> {
  const store = openStore(`sqlite:${join(folder, 'rollcall.db')}`);
  onTestFinished(() => store.close());
  await store.migrate();
  return store;
}
