type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * Moves every schema that has a title that can be a name to the named schemas of the document, and refers to it where it
 * was. Programs that generate code from the document then use these names.
 */
export function withNamedSchemas(document: object): { document: object; schemas: Record<string, Json> } {
  const schemas: Record<string, Json> = {};
  const replace = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(replace);
    if (value === null || typeof value !== 'object') return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replace(part)]));
    // Generators and the reference page want to know that the words of an enumeration are texts.
    if (Array.isArray(copy.enum) && copy.type === undefined) copy.type = 'string';
    const { title, type } = copy;
    if (typeof title !== 'string' || type !== 'object' || !/^[A-Z]\w*$/.test(title)) return copy;
    schemas[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  };
  const plain: Json = JSON.parse(JSON.stringify(document));
  return { document: replace(plain) as object, schemas };
}
