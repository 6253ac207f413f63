import { Client } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { isFailure } from '../../../domain/failure.ts';
import { databaseOn, onServer } from '../../../testing/postgres-setup.ts';
import { throughProxy } from '../../../testing/tcp-proxy.ts';
import { newDatabase, openTestStoreAt } from '../../../testing/test-store.ts';
import { openStore } from '../../open-store.ts';

async function startOn(url: string): Promise<string> {
  const store = openStore(url);
  try {
    await store.migrate();
    return 'started';
  } catch (error) {
    if (!isFailure(error)) throw error;
    return error.message;
  } finally {
    await store.close();
  }
}

/** A URL of the same database at which every connection takes this long to open. */
function slowToConnect(url: string, delayMs: number): Promise<string> {
  return throughProxy(url, (inbound, open) => {
    setTimeout(() => {
      const outbound = open(() => inbound.pipe(outbound).pipe(inbound));
    }, delayMs);
  });
}

test('a database that cannot be used is reported in one line, without its password', async () => {
  const good = new URL(inject('postgresUrl'));
  const wrong = (change: (url: URL) => void) => {
    const url = new URL(good);
    url.password = 'planted-secret';
    change(url);
    return startOn(url.href);
  };
  const place = `${good.hostname}:${good.port}`;
  const messages = [
    await wrong(() => {}),
    await wrong((url) => {
      url.password = good.password;
      url.pathname = '/nowhere';
    }),
    await wrong((url) => {
      url.port = '1';
    }),
    await wrong((url) => {
      url.hostname = 'nowhere.invalid';
    }),
  ];
  expect(messages).toEqual([
    `The database ${place}${good.pathname} refuses the user name or the password.`,
    `The database ${place}/nowhere does not exist; create it first.`,
    `The database ${good.hostname}:1${good.pathname} cannot be reached (ECONNREFUSED).`,
    expect.stringMatching(/^The database nowhere\.invalid:\d+\/\w+ cannot be reached \(E\w+\)\.$/),
  ]);
  expect(messages.join()).not.toContain('planted-secret');
});

test('a database that cannot store every character is refused', async () => {
  const name = `latin_${process.pid}`;
  const url = inject('postgresUrl');
  await onServer(url, `create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`);
  const message = await startOn(databaseOn(url, name));
  await onServer(url, `drop database ${name}`);
  expect(message).toMatch(/has the encoding LATIN1; UTF8 is needed\.$/);
});

test('a user without rights on the database is refused with that reason', async () => {
  const url = new URL(await newDatabase('postgres'));
  await onServer(url.href, `create role visitor login password 'visitor'`);
  onTestFinished(async () => void (await onServer(inject('postgresUrl'), 'drop role visitor')));
  [url.username, url.password] = ['visitor', 'visitor'];
  expect(await startOn(url.href)).toMatch(/does not give this user the necessary rights\.$/);
});

test('a starting node waits long for a busy server; once it serves, a request for a connection does not', async () => {
  const url = await newDatabase('postgres');
  const store = await openTestStoreAt(await slowToConnect(url, 1500), { serving: true });
  const admin = new Client({ connectionString: url });
  await admin.connect();
  onTestFinished(() => admin.end());
  await admin.query('begin');
  await admin.query('lock table accounts in access exclusive mode');
  const refused: string[] = [];
  const list = (name: string) => store.accounts.list().catch(({ code }) => refused.push(`${name}: ${code}`));
  // The first one has the only connection, and waits for the table.
  await Promise.all([list('first'), list('second')]);
  expect(refused).toEqual(['second: unavailable', 'first: unavailable']);
  await admin.query('rollback');
  expect(await store.accounts.list()).toEqual([]);
});

test('ten nodes that start at the same time on an empty database create one schema', async () => {
  const url = await newDatabase('postgres');
  await onServer(url, 'drop schema public cascade');
  await onServer(url, 'create schema public');
  const stores = await Promise.all(Array.from({ length: 10 }, () => openTestStoreAt(url)));
  for (const store of stores) expect(await store.accounts.list()).toEqual([]);
});

test('a node of an older version starts on the schema of a newer one', async () => {
  const url = await newDatabase('postgres');
  await onServer(url, `insert into kysely_migration values ('9999-from-the-future', '2030-01-01')`);
  const store = await openTestStoreAt(url);
  expect(await store.accounts.list()).toEqual([]);
});

test('every text column is compared by bytes, regardless of the locale of the database', async () => {
  const columns = await onServer(
    await newDatabase('postgres'),
    `select table_name, column_name, collation_name from information_schema.columns
     where table_schema = 'public' and table_name not like 'kysely%' and data_type = 'text'`,
  );
  expect(columns.length).toBeGreaterThan(10);
  expect(columns.filter(({ collation_name }) => collation_name !== 'C')).toEqual([]);
});
