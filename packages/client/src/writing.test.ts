import { expect, test } from 'vitest';
import { ChangedError, ConflictError, InvalidRequestError, NotFoundError, PermissionError } from './errors.ts';
import type { FetchLike } from './fetch.ts';
import type { NewClient } from './generated/api.ts';
import { openReal } from './testing/real-service.ts';

const ADA: NewClient = {
  email: 'ada@mail.example',
  client_name: 'Ada Abebe',
  client_type: 'individual',
  group_name: 'Partners',
};

test('the real service: a client is created, read, changed and erased', async () => {
  const { rollcall, clock } = await openReal();
  const { clients } = rollcall;
  const created = await clients.create({ ...ADA, external_id: 'CRM-1', created_at: '2026-01-01T00:00:00Z' });
  expect(created).toMatchObject({ ...ADA, external_id: 'CRM-1', request_status: 'Requested', client_status: 'active' });
  expect(created.created_at).toBe('2026-01-01T00:00:00.000Z');
  expect(await clients.get(created.reference_id)).toEqual(created);
  clock.advance(1);
  const changed = await clients.update(created.reference_id, {
    request_status: 'accepted',
    external_id: null,
    reason: 'She agreed.',
  });
  expect(changed).toEqual({
    ...created,
    request_status: 'Accepted',
    external_id: null,
    updated_at: new Date(clock.now()).toISOString(),
  });
  await clients.erase(created.reference_id);
  await expect(clients.get(created.reference_id)).rejects.toBeInstanceOf(NotFoundError);
  await expect(clients.erase(created.reference_id)).rejects.toBeInstanceOf(NotFoundError);
});

test('the real service: a client is written by the id of another system, created once and then changed', async () => {
  const { clients } = (await openReal()).rollcall;
  await expect(clients.upsert('CRM/ä 1', { client_name: 'Ada' })).rejects.toThrow(/^email is missing/);
  const created = await clients.upsert('CRM/ä 1', ADA);
  const changed = await clients.upsert('CRM/ä 1', { client_name: 'Ada King' }, { ifMatch: created });
  expect(changed).toMatchObject({ ...ADA, reference_id: created.reference_id, client_name: 'Ada King' });
  expect(await clients.page({ externalId: 'CRM/ä 1' })).toMatchObject({ total_count: 1 });
});

test('the real service: of two changes to the same version, the second is refused', async () => {
  const { clients } = (await openReal()).rollcall;
  const created = await clients.create(ADA);
  const { reference_id: reference } = created;
  const read = await clients.get(reference);
  const changed = await clients.update(reference, { client_name: 'First' }, { ifMatch: created });
  await expect(clients.update(reference, { client_name: 'Second' }, { ifMatch: read })).rejects.toBeInstanceOf(
    ChangedError,
  );
  await expect(clients.erase(reference, { ifMatch: read })).rejects.toThrow('the client has been changed since');
  expect(await clients.get(reference)).toEqual(changed);
  await clients.erase(reference, { ifMatch: changed });
  await expect(clients.upsert('CRM-9', ADA, { ifMatch: '*' })).rejects.toBeInstanceOf(ChangedError);
});

test('the real service: a write whose answer is lost again and again is made once, and its answer is that of the first', async () => {
  const replayed: (string | null)[] = [];
  /** Of three answers to a write, the first two are lost. */
  const losingAnswers: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method === 'GET') return response;
    replayed.push(response.headers.get('idempotency-replayed'));
    if (replayed.length % 3 === 0) return response;
    throw new Error('The connection was closed.');
  };
  const { rollcall } = await openReal({ fetch: losingAnswers });
  const { clients, groups } = rollcall;
  const created = await clients.create(ADA);
  const changed = await clients.update(created.reference_id, { client_name: 'Ada King' }, { ifMatch: created });
  expect(changed.client_name).toBe('Ada King');
  await groups.create('Another group');
  expect(await clients.page()).toMatchObject({ total_count: 1 });
  await clients.erase(created.reference_id, { ifMatch: changed });
  expect(await clients.page()).toMatchObject({ total_count: 0 });
  expect(replayed).toEqual(Array(4).fill([null, 'true', 'true']).flat());
});

test('the real service: the same key makes the same write once, and is refused for another one', async () => {
  const { clients } = (await openReal()).rollcall;
  const once = { idempotencyKey: 'order-1' };
  const created = await clients.create(ADA, once);
  expect(await clients.create(ADA, once)).toEqual(created);
  const other = { ...ADA, email: 'b@mail.example' };
  await expect(clients.create(other, once)).rejects.toBeInstanceOf(InvalidRequestError);
  expect(await clients.page()).toMatchObject({ total_count: 1 });
});

test('the real service: what contradicts the stored clients is a conflict, which is not tried again', async () => {
  const { clients, groups } = (await openReal()).rollcall;
  const created = await clients.create(ADA);
  const taken = await clients.create(ADA).catch((error) => error);
  expect(taken).toBeInstanceOf(ConflictError);
  expect(taken).toMatchObject({ status: 409, attempts: 1, message: expect.stringContaining(created.reference_id) });
  const step = clients.update(created.reference_id, { request_status: 'completed' });
  await expect(step).rejects.toBeInstanceOf(ConflictError);
  await expect(groups.create('PARTNERS')).rejects.toBeInstanceOf(ConflictError);
});

test('the real service: a key that may only read is refused', async () => {
  const { reading } = await openReal();
  await expect(reading.clients.create(ADA)).rejects.toBeInstanceOf(PermissionError);
  expect(await reading.groups.page()).toMatchObject({ total_count: 0 });
});

test('the real service: groups are created, renamed and listed by name, on however many pages', async () => {
  const { clients, groups } = (await openReal()).rollcall;
  for (const name of ['Delta', 'alpha', 'Charlie', 'Bravo']) await groups.create(name);
  const { group_token: token } = await groups.create('Foxtrot');
  expect(await groups.rename(token, 'Echo')).toEqual({ group_name: 'Echo', group_token: token, client_count: 0 });
  await clients.create({ email: 'a@mail.example', client_name: 'A', client_type: 'company', group_token: token });

  const names = ['alpha', 'Bravo', 'Charlie', 'Delta', 'Echo'];
  for (const pageLimit of [1, 2, 1000]) {
    const seen: string[] = [];
    for await (const group of groups.list({ pageLimit })) seen.push(group.group_name);
    expect(seen).toEqual(names);
  }
  const pages: number[] = [];
  for await (const { results } of groups.list({ pageLimit: 2 }).pages()) pages.push(results.length);
  expect(pages).toEqual([2, 2, 1]);
  const last = await groups.page({ pageNo: 3, pageLimit: 2 });
  expect(last).toMatchObject({ total_count: 5, total_pages: 3, results: [{ group_token: token, client_count: 1 }] });
  await expect(groups.rename('00000000-0000-4000-8000-000000000000', 'X')).rejects.toBeInstanceOf(NotFoundError);
  await expect(groups.page({ page_no: 2 } as never)).rejects.toThrow('page_no is not a parameter; the parameters are');
});
