import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { documentedSchema, readApiDocument, resolved } from '../testing/api-document.ts';
import { aClient, addClients, aWorkspace } from '../testing/builders.ts';
import { LIST_PATH, openTestApi, SUMMARY_PATH, TOKEN_PATH } from '../testing/test-api.ts';
import { type ApiDeps, apiRoutes } from './all-routes.ts';
import { openApiDocument } from './document.ts';

test('answers contain exactly the fields that the document declares', async () => {
  const document = readApiDocument();
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
    { path: LIST_PATH, ...(await api.get(`${LIST_PATH}?include=external_id,updated_at`, headers)) },
    { path: SUMMARY_PATH, ...(await api.get(SUMMARY_PATH, headers)) },
    { path: SUMMARY_PATH, ...(await api.get(`${SUMMARY_PATH}?page_no=1`, headers)) },
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 400, 401, 200, 200, 400]);
  for (const { path, status, body } of answers) {
    const schema = documentedSchema(document, { path, method: 'GET', status }) ?? {};
    expect([...Value.Errors(schema, body)]).toEqual([]);
    expect(Value.Check(schema, { ...body, more: 1 })).toBe(false);
  }
});

test('every answer of the document has headers and, unless it has no body, an example that fits its schema', () => {
  const document = readApiDocument();
  const { paths, components } = document;
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['AccessToken', 'Client', 'ClientsPage', 'ClientsSummary', 'Failure']),
  );
  const answers = Object.values(paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ responses }) => Object.entries(responses)),
  );
  expect(answers.length).toBeGreaterThan(15);
  for (const [status, { headers, content }] of answers) {
    expect(headers).toHaveProperty('X-Request-Id');
    if (status === '304') continue;
    const [described] = Object.values(content ?? {});
    expect([...Value.Errors(resolved(document, described?.schema ?? {}), described?.example)]).toEqual([]);
  }
});

test('every route that takes a body says so in the document, with the types that it accepts', () => {
  const { paths } = openApiDocument() as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, object> } }>>;
  };
  for (const { methods, path, body, streamedBody } of apiRoutes({} as ApiDeps)) {
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[methods[0]?.toLowerCase() ?? ''];
    const documented = Object.keys(operation?.requestBody?.content ?? {});
    expect(documented, path).toEqual(streamedBody?.types ?? (body ? ['application/json'] : []));
  }
});
