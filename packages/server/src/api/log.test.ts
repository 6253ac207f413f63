import { expect, test } from 'vitest';
import { aClient, addClients, aWorkspace } from '../testing/builders.ts';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../testing/test-api.ts';

test('one line per request says who requested what, and contains no secret or personal data', async () => {
  const api = await openTestApi();
  const { secret, key, workspaceId } = await aWorkspace(api.store, api.clock, 'a@firm.example');
  await addClients(api.store, workspaceId, [aClient({ email: 'planted@mail.example', name: 'Planted' })]);
  const token = await api.token(secret);
  const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'my-id' };
  await api.get(`${LIST_PATH}?client_email=planted@mail.example`, headers);
  await api.get(`${LIST_PATH}?client_email=planted@mail.example&typo%0Aline=1`, headers);
  await api.get(`/planted@mail.example?${secret}`);
  await api.get(TOKEN_PATH, { 'api-key': `${secret}x` });

  await expect.poll(() => requests(api.log).length).toBe(5);
  const [exchange, list, ...others] = requests(api.log);
  expect(exchange).toMatchObject({
    method: 'GET',
    route: TOKEN_PATH,
    status: 200,
    workspace: workspaceId,
    key: key.id,
  });
  expect(list).toMatchObject({
    method: 'GET',
    route: LIST_PATH,
    status: 200,
    workspace: workspaceId,
    key: key.id,
    request_id: 'my-id',
  });
  expect(list?.ms).toEqual(expect.any(Number));
  expect(others.map((line) => line.status)).toEqual([400, 404, 401]);

  const everything = api.log.join('');
  for (const planted of ['planted', 'Planted', secret, secret.slice(12, 40), token, 'typo']) {
    expect(everything).not.toContain(planted);
  }
});

function requests(log: string[]): Record<string, unknown>[] {
  return log.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request');
}
