import type { Static, TObject, TSchema } from 'typebox';
import { printableName, problemsOfValue } from '../domain/check-schema.ts';
import { Failure } from '../domain/failure.ts';
import { suggest } from '../domain/suggest.ts';
import { fold, isStorable } from '../domain/text.ts';

/**
 * Reads a query string strictly by its schema: every parameter must be known, be given once, and be exactly what the
 * schema says. An empty value counts as not given.
 */
export function parseQuery<Schema extends TObject>(schema: Schema, text: string): Static<Schema> {
  const parameters: Record<string, TSchema> = schema.properties;
  const values = new Map<string, string>();
  for (const { name, value } of pairsOf(text)) {
    if (!Object.hasOwn(parameters, name)) throw unknownParameter(name, Object.keys(parameters));
    if (values.has(name)) throw badParameter(name, 'was given more than once');
    values.set(name, value);
  }

  const query: Record<string, QueryValue> = {};
  for (const [name, text] of values) {
    if (!isStorable(text)) throw badParameter(name, 'must not contain a NUL character');
    const parameterSchema = parameters[name] ?? {};
    const value = toValue(parameterSchema, text);
    if (value === '') continue;
    const [problem] = problemsOfValue(name, parameterSchema, value);
    const hint = Array.isArray(value) ? ' Separate several values by commas.' : '';
    if (problem) throw new Failure('bad_parameter', problem.message + hint);
    query[name] = value;
  }
  return query as Static<Schema>;
}

/** For parameters that restrict what is changed or taken away: one that is empty by mistake must not mean everything. */
export function refuseEmpty(queryString: string, names: readonly string[]): void {
  for (const { name, value } of pairsOf(queryString)) {
    if (names.includes(name) && value.trim() === '') throw badParameter(name, 'must not be empty');
  }
}

type QueryValue = string | number | (string | number)[];

/**
 * The text of a parameter in the type of its schema. The words of an enumeration are accepted in any letter case, and the
 * values of a list are separated by commas.
 */
function toValue(schema: TSchema & { type?: string; enum?: unknown; items?: TSchema }, text: string): QueryValue {
  if (schema.items) return text.trim() === '' ? '' : text.split(',').map((each) => toItem(schema.items ?? {}, each));
  return toItem(schema, text);
}

function toItem(schema: TSchema & { type?: string; enum?: unknown }, text: string): string | number {
  // Only digits: `Number` would also accept forms such as ` 1` and `1e3`.
  if (schema.type === 'integer') return text === '' ? '' : /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  return schema.enum ? fold(text) : text.trim();
}

function* pairsOf(text: string): Generator<{ name: string; value: string }> {
  for (const pair of text.split('&')) if (pair !== '') yield decodePair(pair);
}

function decodePair(pair: string): { name: string; value: string } {
  const separator = pair.indexOf('=');
  const rawName = separator === -1 ? pair : pair.slice(0, separator);
  const rawValue = separator === -1 ? '' : pair.slice(separator + 1);
  const name = decode(rawName);
  if (name === undefined) throw badParameter('query string', 'must be percent-encoded UTF-8');
  const value = decode(rawValue);
  if (value === undefined) throw badParameter(printableName(name), 'must be percent-encoded UTF-8');
  return { name, value };
}

/** `decodeURIComponent` refuses overlong forms and lone surrogates, as it should here. */
function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** An unknown name is refused, because a misspelt filter that was ignored would return all clients. */
function unknownParameter(name: string, known: readonly string[]): Failure {
  const suggestion = suggest(name, known);
  const others = known.length === 0 ? '.' : `. The parameters are ${known.join(', ')}.`;
  const hint = suggestion ? `; did you mean ${suggestion}?` : others;
  return new Failure('bad_parameter', `${printableName(name)} is not a parameter of this endpoint${hint}`);
}

function badParameter(name: string, expectation: string): Failure {
  return new Failure('bad_parameter', `${name} ${expectation}.`);
}
