import { InvalidRequestError } from './errors.ts';

/**
 * The query of a request, whose options have these names in the API. Unknown options are refused, as the service does,
 * because not every caller uses the types and a misspelt filter must never return all clients.
 */
export function toParameters(
  request: object,
  parameters: Readonly<Record<string, string>>,
  word: 'filter' | 'parameter',
): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) {
      const known = Object.keys(parameters).join(', ');
      throw new InvalidRequestError(`${name} is not a ${word}; the ${word}s are ${known}.`);
    }
    if (value !== undefined) query.set(parameter, textOf(name, value));
  }
  return query;
}

/** An empty value is refused: the service ignores it, and a variable that is empty by mistake must not return all clients. */
function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return listOf(name, value);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new InvalidRequestError(`${name} is not a valid time.`);
    return value.toISOString();
  }
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new InvalidRequestError(`${name} must be a string or a number.`);
  }
  if (value === '') throw new InvalidRequestError(`${name} is empty; leave it out if you do not want to filter by it.`);
  return String(value);
}

function listOf(name: string, values: readonly unknown[]): string {
  if (values.length === 0) throw new InvalidRequestError(`${name} is an empty list, which no client could match.`);
  for (const value of values) {
    if (typeof value !== 'string' || value === '' || value.includes(',')) {
      throw new InvalidRequestError(`${name} must be a list of texts without commas.`);
    }
  }
  return values.join(',');
}
