import { CompiledQuery } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { wordsOf } from '../../../domain/clients/words.ts';
import { aClient, addClients, aWorkspace, TestClock } from '../../../testing/builders.ts';
import { onServer } from '../../../testing/postgres-setup.ts';
import { newDatabase, openTestStoreAt } from '../../../testing/test-store.ts';
import { openEngine } from '../../open-store.ts';
import { findWords } from './word-index.ts';

test('letters of any script, and characters that mean something in a query, are stored and found as they are', async () => {
  const url = await newDatabase('postgres');
  const store = await openTestStoreAt(url);
  const { workspaceId } = await aWorkspace(store, new TestClock(), 'a@firm.example');
  const names = [
    `O'Neil \\ & | ! :* <-> "Ann"`,
    '山田 太郎',
    'Łódź ẞ',
    '𐐷𐐲 𝒳',
    '김민수',
    'राम',
    'ಕನ್ನಡ',
    'x'.repeat(200),
  ];
  const clients = names.map((name) => aClient({ name }));
  await addClients(store, workspaceId, clients);
  for (const { name, referenceId } of clients) {
    const words = wordsOf(name);
    expect(words.length).toBeGreaterThan(0);
    const found = await store.searches.find(workspaceId, { words }, { offset: 0, limit: 10 });
    expect(
      found.clients.map((client) => client.referenceId),
      name,
    ).toEqual([referenceId]);
  }
  expect((await store.checkConsistency()).problems).toEqual([]);
});

/** Two workspaces; the second one is small, and its clients come last in the table. */
async function filledTable(): Promise<string> {
  const url = await newDatabase('postgres');
  await onServer(url, 'alter table client_words set (autovacuum_enabled = false)');
  for (const [workspace, first, last] of [
    [1, 1, 200_000],
    [2, 1, 20_000],
  ]) {
    await onServer(
      url,
      `insert into client_words
       select ${workspace}, id, array_to_tsvector(array['${workspace}_c' || id, '${workspace}_n' || id % 3])
       from generate_series(${first}, ${last}) as id`,
    );
  }
  return url;
}

test.each([
  ['before the server knows how many there are', []],
  ['when it knows', ['analyze client_words']],
])('words are looked up in their index, %s', async (_when, statements) => {
  const url = await filledTable();
  for (const statement of statements) await onServer(url, statement);
  const engine = openEngine(url);
  onTestFinished(() => engine.close());
  for (const words of ["'1_c12':* & '1_n1':*", "'2_n1':*", "'2_c1':*"]) {
    const { sql: text, parameters } = findWords(words, 10_000).compile(engine.reads);
    const { rows } = await engine.reads.executeQuery<object>(CompiledQuery.raw(`explain ${text}`, [...parameters]));
    const plan = rows.map((row) => Object.values(row)[0]).join('\n');
    expect(plan).toContain('Bitmap Index Scan on client_words_by_word');
  }
});
