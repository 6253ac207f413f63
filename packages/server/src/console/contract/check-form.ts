import type { TObject } from 'typebox';
import { isStorable, problemWithEmail } from '../../domain/text.ts';
import { parseTime } from '../../domain/time.ts';

/** What is read off a field's schema; the same schema gives it its type. */
interface FieldSchema {
  type?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  enum?: readonly string[];
  anyOf?: readonly FieldSchema[];
  items?: FieldSchema & { properties?: Record<string, FieldSchema>; required?: readonly string[] };
  properties?: Record<string, FieldSchema>;
  required?: readonly string[];
}

export interface FieldProblem {
  field: string;
  /** A sentence that begins with the field's name. */
  message: string;
}

const TIME_EXPECTED = 'must be a time from 1970 to 9999, such as 2026-01-31T09:30:00.000Z';

/** What is wrong with a form, in words, on the server and in the browser alike; nothing when it may be sent. */
export function problemsOf(schema: TObject, form: unknown): FieldProblem[] {
  return problemsOfObject(schema as FieldSchema, form, '');
}

function problemsOfObject(schema: FieldSchema, form: unknown, prefix: string): FieldProblem[] {
  if (typeof form !== 'object' || form === null || Array.isArray(form)) {
    return [{ field: prefix, message: `${prefix || 'The body'} must be an object.` }];
  }
  const fields = new Map(Object.entries(schema.properties ?? {}));
  const problems: FieldProblem[] = [];
  for (const field of Object.keys(form)) {
    if (!fields.has(field)) problems.push(problem(prefix + printable(field), 'is not a field of this form'));
  }
  for (const [field, fieldSchema] of fields) {
    const value = Object.hasOwn(form, field) ? (form as Record<string, unknown>)[field] : undefined;
    if (value !== undefined) problems.push(...problemsOfValue(prefix + field, fieldSchema, value));
    else if (schema.required?.includes(field)) problems.push(problem(prefix + field, 'is missing'));
  }
  return problems;
}

function problemsOfValue(field: string, schema: FieldSchema, value: unknown): FieldProblem[] {
  if (schema.anyOf) {
    if (value === null && schema.anyOf.some(({ type }) => type === 'null')) return [];
    return problemsOfValue(field, schema.anyOf.find(({ type }) => type !== 'null') ?? {}, value);
  }
  if (schema.enum) return typeof value === 'string' && schema.enum.includes(value) ? [] : oneOf(field, schema.enum);
  if (schema.type === 'string') return problemsOfText(field, schema, value);
  if (schema.type === 'integer') return problemsOfInteger(field, schema, value);
  if (schema.type === 'boolean') return typeof value === 'boolean' ? [] : [problem(field, 'must be true or false')];
  if (schema.type === 'array') return problemsOfList(field, schema, value);
  return problemsOfObject(schema, value, `${field}.`);
}

function problemsOfText(field: string, schema: FieldSchema, value: unknown): FieldProblem[] {
  if (typeof value !== 'string') return [problem(field, 'must be text')];
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format } = schema;
  const length = format === 'password' ? value.length : value.trim().length;
  if (length === 0 && minLength > 0) return [problem(field, 'must not be empty')];
  if (length < minLength) return [problem(field, `must have at least ${minLength} characters`)];
  if (length > maxLength) return [problem(field, `must have at most ${maxLength} characters`)];
  if (!isStorable(value)) return [problem(field, 'must not contain a NUL character')];
  const emailProblem = format === 'email' && problemWithEmail(value);
  if (emailProblem) return [problem(field, emailProblem)];
  if (format === 'date-time' && parseTime(value) === undefined) return [problem(field, TIME_EXPECTED)];
  return [];
}

function problemsOfInteger(
  field: string,
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: FieldSchema,
  value: unknown,
) {
  if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return [];
  return [problem(field, `must be a whole number from ${minimum} to ${maximum}`)];
}

function problemsOfList(field: string, { items = {}, maxItems = 1000 }: FieldSchema, value: unknown): FieldProblem[] {
  if (!Array.isArray(value)) return [problem(field, 'must be a list')];
  if (value.length > maxItems) return [problem(field, `must have at most ${maxItems} entries`)];
  return value.flatMap((each) => problemsOfValue(field, items, each));
}

function oneOf(field: string, words: readonly string[]): FieldProblem[] {
  return [problem(field, `must be one of ${words.join(', ')}`)];
}

function problem(field: string, expectation: string): FieldProblem {
  return { field, message: `${field} ${expectation}.` };
}

/** A name chosen by the sender, short and on one line. */
function printable(name: string): string {
  return name.slice(0, 64).replace(/[^\x20-\x7e]/g, '?');
}
