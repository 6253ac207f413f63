import type { TSchema } from 'typebox';

/** What is looked at in a schema to make an example. */
interface ExampleSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, ExampleSchema>;
  required?: string[];
  items?: ExampleSchema;
  anyOf?: ExampleSchema[];
}

/** A value of the schema, from the examples of its parts. Fields that may be left out are. */
export function exampleOf(schema: TSchema): unknown {
  return exampleIn(schema as ExampleSchema);
}

function exampleIn(schema: ExampleSchema): unknown {
  const [example] = schema.examples ?? schema.enum ?? [];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.items) return [exampleIn(schema.items)];
  if (schema.type === 'object') {
    const required = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
    return Object.fromEntries(required.map(([name, part]) => [name, exampleIn(part)]));
  }
  if (schema.type === 'null') return null;
  throw new Error('A schema of the API has no example.');
}
