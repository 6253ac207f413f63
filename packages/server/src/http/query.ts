import type { Static, TObject, TSchema } from 'typebox';
import { Failure } from '../domain/failure.ts';
import { suggest } from '../domain/suggest.ts';
import { fold, isStorable } from '../domain/text.ts';

/** What the parser reads off a parameter's schema. The same schema documents it. */
interface ParameterSchema {
  type?: string;
  minimum?: number;
  maximum?: number;
  enum?: readonly string[];
  maxLength?: number;
}

/**
 * Reads a query string strictly by its schema: every parameter known, given once, and exactly what it says it is.
 * An empty value counts as not given.
 */
export function parseQuery<Schema extends TObject>(schema: Schema, text: string): Static<Schema> {
  const parameters: Record<string, TSchema> = schema.properties;
  const values = new Map<string, string>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const { name, value } = decodePair(pair);
    if (!Object.hasOwn(parameters, name)) throw unknownParameter(name, Object.keys(parameters));
    if (values.has(name)) throw bad(name, 'was given more than once');
    values.set(name, value);
  }

  const query: Record<string, string | number> = {};
  for (const [name, value] of values) {
    if (value === '') continue;
    const read = readValue(name, value, parameters[name] as ParameterSchema);
    if (read !== undefined) query[name] = read;
  }
  return query as Static<Schema>;
}

/** Nothing when nothing is left of it. */
function readValue(name: string, value: string, schema: ParameterSchema): string | number | undefined {
  if (!isStorable(value)) throw bad(name, 'must not contain a NUL character');
  if (schema.type === 'integer') return readInteger(name, value, schema);
  const trimmed = value.trim();
  if (trimmed === '') return undefined;
  const { maxLength = Number.POSITIVE_INFINITY } = schema;
  if (trimmed.length > maxLength) throw bad(name, `must have at most ${maxLength} characters`);
  return schema.enum ? readWord(name, trimmed, schema.enum) : trimmed;
}

function readInteger(name: string, value: string, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: ParameterSchema) {
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw bad(name, `must be a whole number from ${minimum} to ${maximum}`);
}

function readWord(name: string, value: string, words: readonly string[]): string {
  const word = fold(value);
  if (words.includes(word)) return word;
  throw bad(name, `must be one of ${words.join(', ')}`);
}

function decodePair(pair: string): { name: string; value: string } {
  const separator = pair.indexOf('=');
  const rawName = separator === -1 ? pair : pair.slice(0, separator);
  const rawValue = separator === -1 ? '' : pair.slice(separator + 1);
  const name = decode(rawName);
  if (name === undefined) throw bad('query string', 'must be percent-encoded UTF-8');
  const value = decode(rawValue);
  if (value === undefined) throw bad(printable(name), 'must be percent-encoded UTF-8');
  return { name, value };
}

/** `decodeURIComponent` refuses overlong forms and lone surrogates, which is what we want. */
function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** A misspelt filter that was ignored would return everybody, so an unknown name is refused. */
function unknownParameter(name: string, known: readonly string[]): Failure {
  const meant = suggest(name, known);
  const others = known.length === 0 ? '.' : `. Known: ${known.join(', ')}.`;
  const hint = meant ? `; did you mean ${meant}?` : others;
  return new Failure('bad_parameter', `${printable(name)} is not a parameter of this endpoint${hint}`);
}

function bad(name: string, expectation: string): Failure {
  return new Failure('bad_parameter', `${name} ${expectation}.`);
}

/** A name chosen by the caller, short and on one line. */
function printable(name: string): string {
  return name.slice(0, 64).replace(/[^\x20-\x7e]/g, '?') || '(empty name)';
}

export function queryStringOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
