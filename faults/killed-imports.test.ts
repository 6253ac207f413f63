import { createHash } from 'node:crypto';
import { openAsBlob, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openProgramOn } from '../e2e/nodes.ts';
import { Program, type Serving } from '../e2e/program.ts';
import { createTestAccount, OWNER } from '../e2e/test-account.ts';
import { type Import, type Imports, Rollcall } from '../packages/client/src/index.ts';

const WHERE = ['--account', OWNER, '--environment', 'production'];
const ROWS = 200_000;
const KILLS = Number(process.env.ROLLCALL_TEST_KILLS ?? 50);

/** A file with everything that an export shows, so that two imports of it are the same to the byte. Some rows are wrong. */
async function clientsFile(): Promise<{ file: string; program: Program }> {
  const program = new Program();
  await createTestAccount(program, { clients: ROWS, groups: 40 });
  const { stdout } = await program.run(['export', ...WHERE]);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line, index) => (index % 1000 === 999 ? `wrong${line}` : line));
  // Not in the order of time, and with a part of it twice.
  const [header = '', ...rows] = lines;
  const file = join(program.folder, 'clients.csv');
  const mixed = rows.map((_, index) => rows[(index * 7919) % rows.length]);
  writeFileSync(file, `${[header, ...mixed, ...rows.slice(0, 5000)].join('\n')}\n`);
  return { file, program };
}

async function digestOf(program: Program): Promise<string> {
  const { stdout } = await program.run(['export', ...WHERE]);
  return createHash('sha256').update(stdout).digest('hex');
}

/** Waits until more rows are imported, or all. */
async function goneOn(imports: Imports, id: string, rows: number): Promise<Import> {
  for (;;) {
    const current = await imports.get(id);
    if (current.rows_read > rows || current.state === 'completed') return current;
    expect(['queued', 'running']).toContain(current.state);
    await sleep(20);
  }
}

test.each(['sqlite', 'postgres'] as const)(
  'an import whose node is killed again and again ends like an undisturbed one: %s',
  async (engine) => {
    const { file } = await clientsFile();
    const undisturbed = new Program();
    await createTestAccount(undisturbed);
    const expected = await undisturbed.json<Record<string, number>>(['import', file, ...WHERE], '', 5);

    const program = await openProgramOn(engine);
    const start = () => program.serve(['--only', 'production']);
    let node: Serving = await start();
    program.environment.ROLLCALL_PRODUCTION_PORT = new URL(node.production).port;
    const { key } = await createTestAccount(program, { scopes: ['clients:read', 'clients:write'] });
    const { imports } = new Rollcall({ apiKey: key.api_key, baseUrl: node.production });
    const { import_id: id } = await imports.create(await openAsBlob(file), { fileName: 'clients.csv' });
    let [kills, rows] = [0, 0];
    for (; kills < KILLS; kills++) {
      const { state, rows_read } = await goneOn(imports, id, rows);
      // A fast machine may be finished before.
      if (state === 'completed') break;
      await sleep(Math.random() * 60);
      rows = rows_read;
      await node.stop('SIGKILL');
      node = await start();
    }
    process.stdout.write(`${kills} kills during the import into ${engine}\n`);
    expect(kills).toBeGreaterThan(KILLS / 2);
    const { inserted, updated, unchanged, rejected } = expected;
    expect(await imports.wait(id)).toMatchObject({ state: 'completed', inserted, updated, unchanged, rejected });
    await node.stop('SIGTERM');
    expect(await digestOf(program)).toBe(await digestOf(undisturbed));
    expect(await program.json(['doctor'])).toMatchObject({ ok: true });
  },
);
