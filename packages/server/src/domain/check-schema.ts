import type { TObject, TSchema } from 'typebox';
import { suggest } from './suggest.ts';
import { isStorable, isUuid, problemWithEmail } from './text.ts';
import { parseDay, parseInstant, parseTime } from './time.ts';

/** The parts of a schema that are checked: those that the forms, query strings and answers of this program use. */
interface ValueSchema {
  type?: string;
  format?: string;
  pattern?: string;
  /** Of a text with a pattern. */
  examples?: readonly string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  enum?: readonly string[];
  anyOf?: readonly ValueSchema[];
  items?: ValueSchema;
  properties?: Record<string, ValueSchema>;
  required?: readonly string[];
}

export interface FieldProblem {
  field: string;
  /** A sentence that begins with the field's name. */
  message: string;
}

/** Enough for any form; a body could have a hundred thousand fields that do not exist. */
const PROBLEMS_MAX = 100;

const INSTANT_EXPECTED =
  'must be a date such as 2026-01-31, or a time with its offset such as 2026-01-31T09:30:00Z (in an address, + is written %2B), from 1970 to 9999';

const DAY_EXPECTED = 'must be a day that exists, from 1970 to 9999, such as 2026-01-31';

const TIME_EXPECTED = 'must be a time from 1970 to 9999, such as 2026-01-31T09:30:00.000Z';

/** What is checked of a value of each type. */
const CHECKED: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'format', 'pattern'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  null: [],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
};
const CHECKED_FORMATS: readonly string[] = [
  ...['email', 'date-time', 'instant', 'day', 'uuid'],
  ...['password', 'query-string'],
];
/** What only describes a value. */
const DESCRIBING: readonly string[] = ['type', 'title', 'description', 'examples', 'default'];

/** Texts in which every space counts. */
const KEPT_AS_SENT: readonly string[] = ['password', 'query-string'];

/** What is wrong with a form, on the server and in the browser alike. An empty list means that it may be sent. */
export function problemsOf(schema: TObject, form: unknown): FieldProblem[] {
  return checkForm(schema, form).problems;
}

/**
 * A form as it is used and kept, and what is wrong with it in that shape: if something else were checked than is kept, a limit
 * would limit nothing.
 */
export function checkForm(schema: TObject, given: unknown): { form: unknown; problems: FieldProblem[] } {
  const form = tidied(schema as ValueSchema, given);
  return { form, problems: problemsOfObject(schema as ValueSchema, form, '') };
}

/** What is wrong with one value, such as a parameter of a query string after it was converted to its type. */
export function problemsOfValue(name: string, valueSchema: TSchema, value: unknown): FieldProblem[] {
  const schema = valueSchema as ValueSchema;
  if (schema.anyOf) {
    if (value === null && schema.anyOf.some(({ type }) => type === 'null')) return [];
    return problemsOfValue(name, nonNull(schema), value);
  }
  if (schema.enum) return typeof value === 'string' && schema.enum.includes(value) ? [] : notOneOf(name, schema.enum);
  if (schema.type === 'string') return problemsOfText(name, schema, value);
  if (schema.type === 'integer') return problemsOfInteger(name, schema, value);
  if (schema.type === 'boolean') return typeof value === 'boolean' ? [] : [problem(name, 'must be true or false')];
  if (schema.type === 'array') return problemsOfList(name, schema, value);
  return problemsOfObject(schema, value, name);
}

/**
 * A copy of the value that has only the fields of its schema, so that nothing else leaves the server by mistake. A required
 * field that is missing is a defect of the server.
 */
export function pickFields(valueSchema: TSchema, value: unknown): unknown {
  const schema = valueSchema as ValueSchema;
  if (value === null || typeof value !== 'object') return value;
  if (schema.anyOf) return pickFields(nonNull(schema), value);
  if (Array.isArray(value)) return value.map((each) => pickFields(schema.items ?? {}, each));
  const { properties } = schema;
  if (!properties) throw new Error('A schema of an answer says nothing about the fields of an object.');
  const picked: Record<string, unknown> = {};
  for (const field in properties) {
    const part = (value as Record<string, unknown>)[field];
    if (part === undefined && schema.required?.includes(field)) throw new Error(`The answer lacks the field ${field}.`);
    picked[field] = pickFields(properties[field] ?? {}, part);
  }
  return picked;
}

/** Throws if a schema states something that nobody would check. */
export function requireCheckable(name: string, valueSchema: TSchema): void {
  const schema = valueSchema as ValueSchema;
  const checked = schema.enum ? ['enum'] : schema.anyOf ? ['anyOf'] : CHECKED[schema.type ?? ''];
  const unchecked = Object.keys(schema).filter((each) => !checked?.includes(each) && !DESCRIBING.includes(each));
  if (schema.format !== undefined && !CHECKED_FORMATS.includes(schema.format)) unchecked.push(schema.format);
  if (!checked) unchecked.push(`a value of the type ${schema.type}`);
  if (unchecked.length > 0) throw new Error(`In the schema of ${name}, nothing checks ${unchecked.join(', ')}.`);
  for (const [field, each] of Object.entries(schema.properties ?? {})) requireCheckable(`${name} ${field}`, each);
  for (const each of [schema.items ?? [], schema.anyOf ?? []].flat()) requireCheckable(name, each);
}

/** A name that somebody else chose, short and on one line, for use in a message. */
export function printableName(name: string): string {
  return name.slice(0, 64).replace(/[^\x20-\x7e]/g, '?') || '(empty name)';
}

/** Without spaces around texts, and with UUIDs in small letters. What is not as the schema says stays as it is. */
function tidied(schema: ValueSchema, value: unknown): unknown {
  if (schema.anyOf) return tidied(nonNull(schema), value);
  if (typeof value === 'string') return schema.type === 'string' ? tidiedText(schema, value) : value;
  const { items, properties } = schema;
  if (Array.isArray(value)) return items ? value.map((each) => tidied(items, each)) : value;
  if (!properties || typeof value !== 'object' || value === null) return value;
  // It has fields that do not exist and is refused, and copying it may take long.
  if (Object.keys(value).length > Object.keys(properties).length) return value;
  const form: Record<string, unknown> = { ...value };
  for (const [name, field] of Object.entries(properties)) {
    if (Object.hasOwn(form, name)) form[name] = tidied(field, form[name]);
  }
  return form;
}

function tidiedText({ format = '' }: ValueSchema, text: string): string {
  if (KEPT_AS_SENT.includes(format)) return text;
  return format === 'uuid' ? text.trim().toLowerCase() : text.trim();
}

function problemsOfObject(schema: ValueSchema, form: unknown, name: string): FieldProblem[] {
  if (typeof form !== 'object' || form === null || Array.isArray(form)) {
    return [{ field: name, message: `${name || 'The body'} must be an object.` }];
  }
  const prefix = name === '' ? '' : `${name}.`;
  const fields = new Map(Object.entries(schema.properties ?? {}));
  const problems: FieldProblem[] = [];
  for (const field of Object.keys(form)) {
    if (fields.has(field)) continue;
    problems.push({
      field: prefix + printableName(field),
      message: unknownField(prefix + printableName(field), fields),
    });
    if (problems.length === PROBLEMS_MAX) return problems;
  }
  for (const [field, fieldSchema] of fields) {
    const value = Object.hasOwn(form, field) ? (form as Record<string, unknown>)[field] : undefined;
    if (value !== undefined)
      for (const each of problemsOfValue(prefix + field, fieldSchema, value)) problems.push(each);
    else if (schema.required?.includes(field)) problems.push(problem(prefix + field, 'is missing'));
  }
  return problems;
}

function unknownField(name: string, fields: ReadonlyMap<string, unknown>): string {
  const known = [...fields.keys()];
  const meant = suggest(name.slice(name.lastIndexOf('.') + 1), known);
  return `${name} is not a field${meant ? `; did you mean ${meant}?` : `. The fields are ${known.join(', ')}.`}`;
}

function problemsOfText(name: string, schema: ValueSchema, value: unknown): FieldProblem[] {
  if (typeof value !== 'string') return [problem(name, 'must be text')];
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format, pattern, examples = [] } = schema;
  const { length } = value;
  if (length === 0 && minLength > 0) return [problem(name, 'must not be empty')];
  if (length < minLength) return [problem(name, `must have at least ${minLength} characters`)];
  if (length > maxLength) return [problem(name, `must have at most ${maxLength} characters`)];
  if (value.includes('\0')) return [problem(name, 'must not contain a NUL character')];
  if (!isStorable(value)) return [problem(name, 'is not valid UTF-8 text')];
  const emailProblem = format === 'email' && problemWithEmail(value);
  if (emailProblem) return [problem(name, emailProblem)];
  if (format === 'date-time' && parseTime(value) === undefined) return [problem(name, TIME_EXPECTED)];
  if (format === 'instant' && parseInstant(value) === undefined) return [problem(name, INSTANT_EXPECTED)];
  if (format === 'day' && parseDay(value) === undefined) return [problem(name, DAY_EXPECTED)];
  if (format === 'uuid' && !isUuid(value)) return [problem(name, 'must consist of UUIDs')];
  if (pattern !== undefined && !new RegExp(pattern).test(value))
    return [problem(name, `must have the form of ${examples[0]}`)];
  return [];
}

function problemsOfInteger(name: string, schema: ValueSchema, value: unknown): FieldProblem[] {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return [];
  return [problem(name, `must be a whole number from ${minimum} to ${maximum}`)];
}

function problemsOfList(name: string, schema: ValueSchema, value: unknown): FieldProblem[] {
  const { items = {}, minItems = 0, maxItems = 1000 } = schema;
  if (!Array.isArray(value)) return [problem(name, 'must be a list')];
  if (value.length === 0 && minItems > 0) return [problem(name, 'must not be empty')];
  if (value.length < minItems) return [problem(name, `must have at least ${minItems} entries`)];
  if (value.length > maxItems) return [problem(name, `must have at most ${maxItems} entries`)];
  if (value.includes('')) return [problem(name, 'must not have an empty entry')];
  const { maxLength = Number.POSITIVE_INFINITY } = items;
  const isTooLong = (each: unknown) => typeof each === 'string' && each.length > maxLength;
  if (value.some(isTooLong)) return [problem(name, `must have at most ${maxLength} characters in each entry`)];
  return value.flatMap((each) => problemsOfValue(name, items, each));
}

function notOneOf(name: string, words: readonly string[]): FieldProblem[] {
  // A word that may also begin with a capital is named once.
  const named = words.filter((word) => word === word.toLowerCase() || !words.includes(word.toLowerCase()));
  return [problem(name, `must be one of ${named.join(', ')}`)];
}

function nonNull({ anyOf = [] }: ValueSchema): ValueSchema {
  return anyOf.find(({ type }) => type !== 'null') ?? {};
}

function problem(name: string, expectation: string): FieldProblem {
  return { field: name, message: `${name} ${expectation}.` };
}
