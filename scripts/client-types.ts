// Generates the types of the client package from openapi.json. With --check, it only checks whether they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { compile, type JSONSchema } from 'json-schema-to-typescript';

interface Parameter {
  name: string;
  required: boolean;
  description?: string;
  schema: JSONSchema;
}

interface Json<Schema> {
  content: { 'application/json': { schema: Schema } };
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: Json<JSONSchema>;
  responses: Record<string, Json<{ properties: { data: JSONSchema } }>>;
}

type Method = 'get' | 'post' | 'patch' | 'put';

const target = new URL('../packages/client/src/generated/api.ts', import.meta.url);
const document: {
  paths: Record<string, Partial<Record<Method, Operation>>>;
  components: { schemas: Record<string, JSONSchema> };
} = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));

/** Schemas within these, such as `Client` and `Group`, become types as well. */
const types: Record<string, JSONSchema> = {
  AccessToken: dataOf('/api/v1/generate-access-token/'),
  ClientsPage: dataOf('/api/v1/clients-list/'),
  ClientsSummary: dataOf('/api/v1/clients-summary/'),
  ListClientsQuery: queryOf('/api/v1/clients-list/'),
  ClientRecord: dataOf('/api/v1/clients/{reference_id}/'),
  NewClient: bodyOf('post', '/api/v1/clients/'),
  ClientPatch: bodyOf('patch', '/api/v1/clients/{reference_id}/'),
  ClientByExternalId: bodyOf('put', '/api/v1/clients/by-external-id/{external_id}/'),
  Import: dataOf('/api/v1/clients-imports/{import_id}/'),
  GroupsPage: dataOf('/api/v1/groups-list/'),
  ListGroupsQuery: queryOf('/api/v1/groups-list/'),
};

const current = await compile(
  {
    title: 'Api',
    type: 'object',
    properties: Object.fromEntries(Object.entries(types).map(([title, schema]) => [title, { ...schema, title }])),
    required: Object.keys(types),
    additionalProperties: false,
  },
  'Api',
  {
    bannerComment: '// Generated from openapi.json by `npm run client-types`. Do not edit.',
    format: true,
    // Otherwise a list of up to a hundred entries would become a hundred types.
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true },
  },
);

if (!process.argv.includes('--check')) {
  writeFileSync(target, current);
} else if (readFileSync(target, 'utf8') !== current) {
  process.stderr.write('The client types are out of date: run `npm run client-types` and commit them.\n');
  process.exitCode = 1;
}

function dataOf(path: string): JSONSchema {
  const schema = operation('get', path).responses['200']?.content['application/json'].schema.properties.data;
  if (!schema) throw new Error(`openapi.json does not describe the response of ${path}.`);
  return resolved(schema);
}

function bodyOf(method: Method, path: string): JSONSchema {
  const schema = operation(method, path).requestBody?.content['application/json'].schema;
  if (!schema) throw new Error(`openapi.json does not describe the body of ${path}.`);
  return resolved(schema);
}

/** With the named schemas in place of the references to them. */
function resolved(schema: JSONSchema): JSONSchema {
  return JSON.parse(JSON.stringify(schema), (_name, value) => {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(value?.$ref ?? '')?.[1];
    return name === undefined ? value : resolved(document.components.schemas[name] ?? {});
  });
}

function queryOf(path: string): JSONSchema {
  const parameters = operation('get', path).parameters ?? [];
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function operation(method: Method, path: string): Operation {
  const found = document.paths[path]?.[method];
  if (!found) throw new Error(`openapi.json does not contain ${method.toUpperCase()} ${path}.`);
  return found;
}
