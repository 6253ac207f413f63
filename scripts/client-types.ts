// Generates the types of the client package from openapi.json. With --check, it only checks whether they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { compile, type JSONSchema } from 'json-schema-to-typescript';

interface Parameter {
  name: string;
  required: boolean;
  description?: string;
  schema: JSONSchema;
}

interface Operation {
  parameters?: Parameter[];
  responses: Record<string, { content: { 'application/json': { schema: { properties: { data: JSONSchema } } } } }>;
}

const target = new URL('../packages/client/src/generated/api.ts', import.meta.url);
const document: { paths: Record<string, { get: Operation }>; components: { schemas: Record<string, JSONSchema> } } =
  JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));

const current = await compile(
  {
    title: 'Api',
    type: 'object',
    properties: {
      AccessToken: named('AccessToken', dataOf('/api/v1/generate-access-token/')),
      ClientsPage: named('ClientsPage', dataOf('/api/v1/clients-list/')),
      ClientsSummary: named('ClientsSummary', dataOf('/api/v1/clients-summary/')),
      ListClientsQuery: named('ListClientsQuery', queryOf('/api/v1/clients-list/')),
    },
    required: ['AccessToken', 'ClientsPage', 'ClientsSummary', 'ListClientsQuery'],
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
  const schema = operation(path).responses['200']?.content['application/json'].schema.properties.data;
  if (!schema) throw new Error(`openapi.json does not describe the response of ${path}.`);
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
  const parameters = operation(path).parameters ?? [];
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function operation(path: string): Operation {
  const found = document.paths[path]?.get;
  if (!found) throw new Error(`openapi.json does not contain GET ${path}.`);
  return found;
}

function named(title: string, schema: JSONSchema): JSONSchema {
  return { ...schema, title };
}
