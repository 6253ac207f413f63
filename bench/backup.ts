// Measures backups of an SQLite database, and how they slow requests down: `node bench/backup.ts [clients] [turns]`.
// Other programs on the machine slow both down, so compare only the two.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { probeDuring } from './measure/probe-during.ts';
import { SCRATCH } from './paths.ts';
import { exchange } from './peers/api-calls.ts';
import { createAccount, rollcall, serve } from './peers/rollcall.ts';
import { addSample } from './prepare-data.ts';
import { reportProgress } from './report/progress.ts';

const CLIENTS = Number(process.argv[2] ?? 1_000_000);
const TURNS = Number(process.argv[3] ?? 5);

mkdirSync(SCRATCH, { recursive: true });
const folder = mkdtempSync(join(SCRATCH, 'backup-'));
const databaseUrl = `sqlite:${join(folder, 'data', 'rollcall.db')}`;
try {
  const { apiKey } = await createAccount(databaseUrl);
  await addSample(databaseUrl, CLIENTS);
  const serving = await serve('backup', databaseUrl, { ROLLCALL_PAGE_CACHE_MB: '0', ROLLCALL_RATE_LIMIT_API: '0' });
  try {
    const token = await exchange(serving.address, apiKey);
    for (let turn = 1; turn <= TURNS; turn++) await measureTurn({ address: serving.address, token }, turn);
  } finally {
    await serving.stop();
  }
  await restoreLast();
} finally {
  rmSync(folder, { recursive: true });
}

/** A backup, and then as much time without one. */
async function measureTurn(service: { address: string; token: string }, turn: number): Promise<void> {
  let seconds = 0;
  const during = await probeDuring(service, async () => {
    const file = join(folder, `${turn}.db.zst`);
    const made = await rollcall(databaseUrl, ['backup', file, '--json']);
    seconds = made.seconds;
    const { bytes, database_bytes: databaseBytes } = JSON.parse(made.stdout) as {
      bytes: number;
      database_bytes: number;
    };
    reportProgress(
      `backup: ${seconds.toFixed(1)} s, ${made.cpuSeconds.toFixed(1)} s of processor time, ${made.peakMb} MB of memory; ${mb(bytes)} MB from ${mb(databaseBytes)} MB; log ${mb(logBytes())} MB`,
    );
  });
  const without = await probeDuring(service, () => sleep(seconds * 1000));
  const ratio = (of: 'medianMs' | 'p99Ms') => (during[of] / without[of]).toFixed(2);
  reportProgress(
    `turn ${turn}: a page takes ${ratio('medianMs')} times as long by the median during a backup, and ${ratio('p99Ms')} times by the 99th percentile (${without.medianMs.toFixed(1)} and ${without.p99Ms.toFixed(1)} ms without; ${during.requests} and ${without.requests} requests)`,
  );
}

async function restoreLast(): Promise<void> {
  const restored = `sqlite:${join(folder, 'restored', 'rollcall.db')}`;
  const { seconds, cpuSeconds } = await rollcall(restored, ['restore', join(folder, `${TURNS}.db.zst`), '--json']);
  reportProgress(`restore: ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor time`);
}

function logBytes(): number {
  return statSync(join(folder, 'data', 'rollcall.db-wal')).size;
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
