import { openApiDocument } from '../api/document.ts';

export interface Described {
  headers: object;
  content?: Record<string, { schema: object; example: unknown }>;
}

export type ApiDocument = {
  paths: Record<string, Record<string, { responses: Record<string, Described> }>>;
  components: { schemas: Record<string, object> };
};

/** The schema of a JSON answer, with the named schemas in place of the references to them; undefined if none is documented. */
export function documentedSchema(document: ApiDocument, route: { path: string; method: string; status: number }) {
  const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
  const schema = operation?.responses[route.status]?.content?.['application/json']?.schema;
  return schema && resolved(document, schema);
}

/** With the named schemas in place of the references to them. */
export function resolved(document: ApiDocument, schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_name, value) => {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(value?.$ref ?? '')?.[1];
    return name === undefined ? value : resolved(document, document.components.schemas[name] ?? {});
  });
}

export const readApiDocument = (): ApiDocument => openApiDocument() as ApiDocument;
