import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/test-store.ts';
import { MigrationReport, type ReportForm } from './migration-report.ts';

function reportToFile(kind: ReportForm['kind'], everyMs: number, logLevel = 'info') {
  const file = join(temporaryFolder(), 'report.txt');
  const report = new MigrationReport({ kind, logLevel, everyMs, descriptor: openSync(file, 'w') });
  return { report, written: () => readFileSync(file, 'utf8') };
}

/** As SQLite does while it builds an index. */
function blockThisThread(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test('a migration shows that it is running while it keeps its own thread busy', async () => {
  const { report, written } = reportToFile('text', 20);
  report.onBegin({ name: '0015-words-again', position: 1, count: 2 });
  for (let rounds = 0; !written().includes('running') && rounds < 600; rounds++) blockThisThread(100);
  expect(written()).toMatch(/^Migration 0015-words-again \(1 of 2\): running for \d+ s$/m);
  await report.close();
});

test('text has one line for each migration, and a terminal overwrites the line of the one that is running', async () => {
  for (const [kind, expected] of [
    ['text', 'Migration one (1 of 2): 1.2 s\nMigration two (2 of 2): 0.0 s\n'],
    [
      'terminal',
      '\r\x1b[KMigration one (1 of 2): running for 0 s\r\x1b[KMigration one (1 of 2): 1.2 s\n' +
        '\r\x1b[KMigration two (2 of 2): running for 0 s\r\x1b[KMigration two (2 of 2): 0.0 s\n',
    ],
  ] as const) {
    const { report, written } = reportToFile(kind, 60_000);
    for (const [name, position, milliseconds] of [
      ['one', 1, 1234],
      ['two', 2, 3],
    ] as const) {
      report.onBegin({ name, position, count: 2 });
      report.onEnd({ name, milliseconds });
    }
    await report.close();
    expect(written(), kind).toBe(expected);
  }
});

test('a migration that fails on a terminal leaves the cursor on a new line', async () => {
  const { report, written } = reportToFile('terminal', 60_000);
  report.onBegin({ name: 'one', position: 1, count: 1 });
  await report.close();
  expect(written()).toBe('\r\x1b[KMigration one (1 of 1): running for 0 s\n');
});

test('a thread that cannot report fails neither the migration nor what comes after it', async () => {
  const { report } = reportToFile('log', 60_000, 'a level that the log does not have');
  report.onBegin({ name: 'one', position: 1, count: 1 });
  report.onEnd({ name: 'one', milliseconds: 3 });
  await report.close();
});
