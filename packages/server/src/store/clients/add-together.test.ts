import { StatementSync } from 'node:sqlite';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { OPERATOR } from '../../domain/change.ts';
import type { OnceRequest } from '../../domain/clients/answer-once.ts';
import { checkClient, type GivenClient } from '../../domain/clients/write-clients.ts';
import { revokeKey } from '../../domain/credentials/manage-keys.ts';
import { Failure, isFailure } from '../../domain/failure.ts';
import { aClient, addClients, aWorkspace, TESTER, TestClock } from '../../testing/builders.ts';
import { onServer } from '../../testing/postgres-setup.ts';
import { newDatabase, openTestStore, openTestStoreAt } from '../../testing/test-store.ts';
import type { Store } from '../open-store.ts';

let store: Store;
let clock: TestClock;
let workspaceId: number;
let keyId: string;

beforeEach(async () => {
  store = await openTestStore();
  clock = new TestClock();
  const made = await aWorkspace(store, clock, 'a@firm.example');
  [workspaceId, keyId] = [made.workspaceId, made.key.id];
});

interface Sent {
  once?: OnceRequest;
  as?: string;
  /** Instead of an answer. */
  failing?: Error;
}

/** Asks for a client like a program does. Requests of the same turn share a transaction. */
async function add(fields: Partial<GivenClient>, { once, as = keyId, failing }: Sent = {}): Promise<string> {
  const at = clock.now();
  const given = { email: 'ada@mail.example', name: 'Ada', type: 'company', groupName: 'G', ...fields } as const;
  const actor = { name: as, address: '', keyId: as, secretNumber: 1 };
  const { answer, isRepeated } = await store.answerAddition(
    { workspaceId, actor, at, once },
    {
      check: () => checkClient({ ...given, ...(fields.groupToken && { groupName: undefined }) }, at),
      answer: ({ client, id }) => {
        if (failing) throw failing;
        return { answer: { status: 201, headers: [], body: `${client.groupName} ${client.version}` }, clientId: id };
      },
    },
  );
  return `${isRepeated ? 'again ' : ''}${answer.status} ${answer.body}`;
}

/** What each request was answered, in their order. */
async function answersTo(...requests: Promise<string>[]): Promise<string[]> {
  const settled = await Promise.allSettled(requests);
  return settled.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message));
}

function onceWith(key: string, fingerprint = 'same'): OnceRequest {
  const answerTo = (error: unknown) =>
    isFailure(error) ? { status: 409, headers: [], body: error.message } : undefined;
  return { key, fingerprint, answerTo };
}

async function emails(): Promise<string[]> {
  const { clients } = await store.clients.read(workspaceId, {}, { offset: 0, limit: 100 });
  return clients.map(({ email }) => email).reverse();
}

async function versionOf(): Promise<number> {
  return Number((await store.versions.current(workspaceId)).split('.').at(-1));
}

test('clients that are added at once each get the answer that they would have got one after the other', async () => {
  const before = await versionOf();
  const group = await store.changeWorkspace({ workspaceId, actor: TESTER, at: 0 }, async (change) => {
    change.record('group.created', 'By token');
    return change.groups.create('By token');
  });
  const version = before + 1;
  const unknown = '0b8e6f0a-3c7d-4f0e-9a51-5f6d2f1c7e90';
  const answers = await answersTo(
    add({ email: 'a@mail.example', externalId: 'E1' }),
    add({ email: 'A@mail.example' }),
    add({ email: 'b@mail.example', externalId: 'E1' }),
    add({ email: 'b@mail.example', groupName: 'g' }),
    add({ email: 'a@mail.example', groupName: 'New' }),
    add({ email: 'a@mail.example', groupName: 'NEW' }),
    add({ email: 'a@mail.example', groupToken: group.token.toUpperCase() }),
    add({ email: 'c@mail.example', groupToken: unknown }),
    add({ email: 'c@mail.example', name: ' ' }),
    add({ email: 'c@mail.example', createdAt: clock.now() + 1 }),
    add({ email: 'c@mail.example', externalId: 'E2' }),
  );
  expect(answers).toEqual([
    `201 G ${version + 1}`,
    expect.stringMatching(/^The group G already has a client with this email \(\d+-\d+\)\.$/),
    expect.stringMatching(/^external_id already belongs to another client \(\d+-\d+\)\.$/),
    `201 G ${version + 2}`,
    `201 New ${version + 3}`,
    expect.stringMatching(/^The group New already has a client/),
    `201 By token ${version + 4}`,
    `There is no group with the token ${unknown}.`,
    expect.stringMatching(/^client_name /),
    'created_at must not be in the future.',
    `201 G ${version + 5}`,
  ]);
  expect(await versionOf()).toBe(version + 5);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('additions keep their place among other changes', async () => {
  const first = add({ email: 'first@mail.example' });
  const renamed = store.changeWorkspace({ workspaceId, actor: TESTER, at: 0 }, async (change) => {
    change.record('group.renamed', 'G');
    return String((await change.groups.rename('G', 'H'))?.group.name);
  });
  const [, , second, third] = await answersTo(
    first,
    renamed,
    add({ email: 'first@mail.example', groupName: 'G' }),
    add({ email: 'first@mail.example', groupName: 'h' }),
  );
  expect(await renamed).toBe('H');
  expect(second).toMatch(/^201 G /);
  expect(third).toMatch(/^The group H already has a client/);
});

test('a repeated request gets the first answer, also to a failure, and changes nothing', async () => {
  const first = await answersTo(
    add({ email: 'a@mail.example' }, { once: onceWith('one') }),
    add({ email: 'a@mail.example' }, { once: onceWith('two') }),
    add({ email: 'b@mail.example' }, { once: onceWith('three') }),
    add({ email: 'a@mail.example' }, { once: onceWith('one') }),
    add({ email: 'c@mail.example' }, { once: onceWith('one', 'other') }),
  );
  const [added, refused, another] = first;
  expect(added).toMatch(/^201 G/);
  expect(refused).toMatch(/^409 The group G already has/);
  expect(first.slice(3)).toEqual([`again ${added}`, expect.stringContaining('was used for another request')]);
  const again = await answersTo(
    add({ email: 'x@mail.example' }, { once: onceWith('one') }),
    add({ email: 'y@mail.example' }, { once: onceWith('two') }),
    add({ email: 'z@mail.example' }, { once: onceWith('three') }),
    add({ email: 'c@mail.example' }, { once: onceWith('four') }),
  );
  expect(again.slice(0, 3)).toEqual([`again ${added}`, `again ${refused}`, `again ${another}`]);
  expect(await emails()).toEqual(['a@mail.example', 'b@mail.example', 'c@mail.example']);
  // Long enough after that, each is a new request.
  clock.advance(25 * 3600);
  const later = await answersTo(
    add({ email: 'd@mail.example' }, { once: onceWith('one') }),
    add({ email: 'e@mail.example' }, { once: onceWith('two') }),
  );
  expect(later).toEqual([expect.stringMatching(/^201 G/), expect.stringMatching(/^201 G/)]);
});

test('whether an answer is still kept depends on when each request arrived', async () => {
  const answered = await add({ email: 'a@mail.example' }, { once: onceWith('one') });
  clock.advance(24 * 3600 - 0.001);
  const inTime = add({ email: 'b@mail.example' }, { once: onceWith('one') });
  clock.advance(0.001);
  const late = add({ email: 'c@mail.example' }, { once: onceWith('one') });
  const repeated = add({ email: 'd@mail.example' }, { once: onceWith('one') });
  const answers = await answersTo(inTime, late, repeated);
  expect(answers).toEqual([`again ${answered}`, expect.stringMatching(/^201 G/), `again ${answers[1]}`]);
  expect(await emails()).toEqual(['a@mail.example', 'c@mail.example']);
});

test('an answer is erased with its client, also if both came together with others', async () => {
  const once = onceWith('one');
  await answersTo(add({ email: 'a@mail.example' }, { once }), add({ email: 'b@mail.example' }));
  const { clients } = await store.clients.read(workspaceId, { email: 'a@mail.example' }, { offset: 0, limit: 1 });
  await store.changeWorkspace({ workspaceId, actor: OPERATOR, at: clock.now() }, async (change) => {
    change.record('client.erased', '');
    await change.clients.erase(clients[0]?.referenceId ?? '');
  });
  const [again] = await answersTo(add({ email: 'a@mail.example' }, { once }), add({ email: 'c@mail.example' }));
  expect(again).toBe('This Idempotency-Key was used for a client that has since been erased.');
});

test('what nobody foresaw in one request does not affect the others, and nothing of it remains', async () => {
  const answers = await answersTo(
    add({ email: 'a@mail.example' }),
    add({ email: 'b@mail.example', groupName: 'Lost' }, { failing: new Error('Unforeseen.') }),
    add({ email: 'c@mail.example' }, { once: onceWith('one') }),
    add({ email: 'd@mail.example' }, { failing: new Failure('conflict', 'Refused too late.') }),
    add({ email: 'd@mail.example' }),
  );
  const added = expect.stringMatching(/^201 G/);
  expect(answers).toEqual([added, 'Unforeseen.', added, 'Refused too late.', added]);
  expect(await emails()).toEqual(['a@mail.example', 'c@mail.example', 'd@mail.example']);
  expect((await store.groups.list(workspaceId)).map(({ name }) => name)).toEqual(['G']);
  expect((await store.checkConsistency()).problems).toEqual([]);
});

test('nothing is added with a key after its end', async () => {
  const deps = { ...store, clock, onKeysChanged: async () => {} };
  const before = add({ email: 'before@mail.example' });
  const revoked = revokeKey(deps, { workspaceId, actor: TESTER }, keyId).then(() => 'revoked');
  const answers = await answersTo(
    before,
    add({ email: 'during@mail.example' }),
    revoked,
    add({ email: 'after@mail.example' }),
    add({ email: 'unknown@mail.example' }, { as: 'key_unknown' }),
  );
  const refusal = 'Access token has been revoked.';
  expect(answers.slice(3)).toEqual([refusal, refusal]);
  const added = answers.filter((each) => each.startsWith('201'));
  expect((await emails()).length).toBe(added.length);
});

/** What SQLite has read since: each statement, and how many rows it returned. */
function watchReads(): { sql: string; rows: number }[] {
  const reads: { sql: string; rows: number }[] = [];
  const { all } = StatementSync.prototype;
  StatementSync.prototype.all = function (...parameters) {
    const rows = Reflect.apply(all, this, parameters) as Record<string, never>[];
    reads.push({ sql: this.sourceSQL, rows: rows.length });
    return rows;
  };
  onTestFinished(() => {
    StatementSync.prototype.all = all;
  });
  return reads;
}

const onSqlite = test.runIf(inject('engine') === 'sqlite');

onSqlite('clients that are added at once are locked, looked up and counted once', async () => {
  const reads = watchReads();
  const statementsOf = async (count: number, prefix: string) => {
    reads.length = 0;
    await Promise.all(Array.from({ length: count }, (_, index) => add({ email: `${prefix}${index}@mail.example` })));
    return reads.length;
  };
  await statementsOf(2, 'first');
  expect(await statementsOf(40, 'many')).toBe(await statementsOf(2, 'few'));
});

onSqlite(
  'of the counted index only the places are read to which clients are added, however far apart they are',
  async () => {
    const indexLevels = { runs: { number: 0, maxSize: 4 }, sections: { number: 1, maxSize: 16 } } as const;
    store = await openTestStoreAt(await newDatabase('sqlite'), { indexLevels });
    const made = await aWorkspace(store, clock, 'b@firm.example');
    [workspaceId, keyId] = [made.workspaceId, made.key.id];
    const [start, day] = [Date.parse('2020-01-01T00:00:00.000Z'), 86_400_000];
    const existing = Array.from({ length: 400 }, (_, index) => aClient({ createdAt: start + index * day }));
    await addClients(store, workspaceId, existing);
    const reads = watchReads();
    const times = [start + 10 * day, start + 200 * day, start + 390 * day];
    await Promise.all(times.map((createdAt, index) => add({ email: `new${index}@mail.example`, createdAt })));
    const runs = reads.filter(({ sql }) => sql.includes('client_runs'));
    expect(runs.length).toBeGreaterThan(0);
    for (const { rows } of runs) expect(rows).toBeLessThanOrEqual(times.length * 16);
    expect((await store.checkConsistency()).problems).toEqual([]);
  },
);

test.runIf(inject('engine') === 'postgres')(
  'changes go on while another version of the program adds columns',
  async () => {
    const url = await newDatabase('postgres');
    store = await openTestStoreAt(url);
    const made = await aWorkspace(store, clock, 'b@firm.example');
    [workspaceId, keyId] = [made.workspaceId, made.key.id];
    const addSome = (prefix: string) =>
      answersTo(...[1, 2, 3].map((number) => add({ email: `${prefix}${number}@mail.example` })));
    // The server keeps a plan after the statement has run a few times.
    for (const prefix of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await addSome(prefix);
    const tables = ['clients', 'groups', 'workspaces', 'activity_entries', 'client_events', 'client_runs'];
    onTestFinished(async () => {
      for (const table of tables) await onServer(url, `alter table ${table} drop column later`);
    });
    for (const table of tables) await onServer(url, `alter table ${table} add column later integer`);
    expect(await addSome('later')).toEqual(Array(3).fill(expect.stringMatching(/^201 G/)));
  },
);
