import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { isStorable } from '../../../domain/text.ts';
import { newDatabase } from '../../../testing/test-store.ts';
import { openEngine } from '../../open-store.ts';
import type { Engine } from '../engine.ts';

const OUR_BACKEND = 'select pg_terminate_backend(pg_backend_pid())';

/** Ordinary text mixed with characters that are special in the format of `copy`. */
const storable = fc
  .array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\\', '\\N', '\\.', '\t', '\n', '\r', '\r\n', '\b', '"')),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''))
  .filter(isStorable);

async function anEngine() {
  const engine = openEngine(await newDatabase('postgres'));
  onTestFinished(() => engine.close());
  return engine;
}

function anEvent(client_id: number, actor: string, changed: string | null = null) {
  const changes = { changed_from: changed, changed_to: null, reason: null, undoes: null };
  return { workspace_id: 1, client_id, version: 1, at: 0, actor, kind: 1, ...changes };
}

function stored(engine: Engine) {
  return engine.reads.selectFrom('client_events').where('workspace_id', '=', 1);
}

test('every storable text is read back unchanged, however many rows are inserted at the same time', async () => {
  const engine = await anEngine();
  const anyRows = fc.array(fc.record({ actor: storable, changed: fc.option(storable) }), {
    minLength: 1,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(anyRows, async (some) => {
      const rows = some.map(({ actor, changed }, number) => anEvent(number, actor, changed));
      const kept = await engine.write(async (db) => {
        await db.deleteFrom('client_events').where('workspace_id', '=', 1).execute();
        await engine.insertMany(db, 'client_events', rows);
        return db.selectFrom('client_events').where('workspace_id', '=', 1).selectAll().orderBy('client_id').execute();
      });
      expect(kept).toEqual(rows);
    }),
    { numRuns: 60 },
  );
});

test('more rows than fit in one statement are all inserted, and an empty list inserts nothing', async () => {
  const engine = await anEngine();
  const rows = Array.from({ length: 2500 }, (_, number) => anEvent(number, 'tester'));
  await engine.write(async (db) => {
    await engine.insertMany(db, 'client_events', rows);
    await engine.insertMany(db, 'client_events', []);
  });
  expect(await stored(engine).selectAll().orderBy('client_id').execute()).toEqual(rows);
});

test('refused rows are a conflict, nothing is stored, and the connection stays usable', async () => {
  const engine = openEngine(await newDatabase('postgres'), { poolSize: 1 });
  onTestFinished(() => engine.close());
  const twice = engine.write((db) => engine.insertMany(db, 'client_events', [anEvent(1, 'a'), anEvent(1, 'b')]));
  await expect(twice).rejects.toMatchObject({ code: 'conflict' });
  await engine.write((db) => engine.insertMany(db, 'client_events', [anEvent(1, 'c')]));
  expect(await stored(engine).select('actor').execute()).toEqual([{ actor: 'c' }]);
});

test('a connection that is lost when the rows are sent is reported as unavailable, and the next write succeeds', async () => {
  const engine = openEngine(await newDatabase('postgres'), { poolSize: 1 });
  onTestFinished(() => engine.close());
  const cut = engine.write(async (db) => {
    await engine.insertMany(db, 'client_events', [anEvent(1, 'a')]);
    await sql
      .raw(OUR_BACKEND)
      .execute(db)
      .catch(() => {});
    await engine.insertMany(db, 'client_events', [anEvent(2, 'a')]);
  });
  await expect(cut).rejects.toMatchObject({ code: 'unavailable' });
  await engine.write((db) => engine.insertMany(db, 'client_events', [anEvent(3, 'b')]));
  expect(await stored(engine).select('actor').execute()).toEqual([{ actor: 'b' }]);
});
