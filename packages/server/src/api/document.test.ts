import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { aClient, addClients, aWorkspace } from '../testing/builders.ts';
import { LIST_PATH, openTestApi, TOKEN_PATH } from '../testing/test-api.ts';
import { openApiDocument } from './document.ts';

type Document = { paths: Record<string, { get: { responses: Record<string, Described> } }> };
type Described = { content: { 'application/json': { schema: object } } };

test('answers contain exactly the fields that the document declares', async () => {
  const api = await openTestApi();
  const { secret, workspaceId } = await aWorkspace(api.store, api.clock, 'a@firm.example');
  await addClients(api.store, workspaceId, [aClient(), aClient(), aClient()]);
  const headers = { authorization: `Bearer ${await api.token(secret)}` };
  const answers = [
    { path: TOKEN_PATH, ...(await api.get(TOKEN_PATH, { 'api-key': secret })) },
    { path: TOKEN_PATH, ...(await api.get(TOKEN_PATH)) },
    { path: LIST_PATH, ...(await api.get(LIST_PATH, headers)) },
    { path: LIST_PATH, ...(await api.get(`${LIST_PATH}?page_no=0`, headers)) },
    { path: LIST_PATH, ...(await api.get(LIST_PATH)) },
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 400, 401]);
  for (const { path, status, body } of answers) {
    const schema = (openApiDocument() as Document).paths[path]?.get.responses[status]?.content['application/json']
      .schema;
    expect([...Value.Errors(schema ?? false, body)]).toEqual([]);
    expect(Value.Check(schema ?? false, { ...body, more: 1 })).toBe(false);
  }
});
