import { expect, test } from 'vitest';
import { wordsOf } from '../../../domain/clients/words.ts';
import { aClient, addClients, aWorkspace, TestClock } from '../../../testing/builders.ts';
import { onServer } from '../../../testing/postgres-setup.ts';
import { newDatabase, openTestStoreAt } from '../../../testing/test-store.ts';

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

test('words are looked up in their index, also before the server knows how many there are', async () => {
  const url = await newDatabase('postgres');
  await onServer(url, 'alter table client_words set (autovacuum_enabled = false)');
  await onServer(
    url,
    `insert into client_words select 1, id, array_to_tsvector(array['1_c' || id, '1_n' || id % 100])
     from generate_series(1, 100000) as id`,
  );
  const plan = await onServer(
    url,
    `explain select client_id from client_words where words @@ $$'1_c12':* & '1_n7':*$$::tsquery limit 50001`,
  );
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('Bitmap Index Scan on client_words_by_word');
});
