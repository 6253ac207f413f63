import { parseArgs } from 'node:util';
import { FORMATS, type FormatName } from './formats.ts';
import { suggestOption } from './suggest-option.ts';
import { UsageError } from './usage-error.ts';

const GENERAL_OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

export const SHARED_OPTIONS = {
  'retry-for': { type: 'string' },
} as const;

export const FILTER_OPTIONS = {
  'client-email': { type: 'string' },
  'group-name': { type: 'string' },
  'request-status': { type: 'string' },
  'client-type': { type: 'string' },
  'client-status': { type: 'string' },
  'group-token': { type: 'string' },
  'reference-id': { type: 'string' },
  'external-id': { type: 'string' },
  'created-from': { type: 'string' },
  'created-to': { type: 'string' },
} as const;

/** Of every command that prints clients. */
export const PRINT_OPTIONS = {
  format: { type: 'string' },
  quiet: { type: 'boolean', short: 'q' },
} as const;

export const LIST_OPTIONS = {
  order: { type: 'string' },
  include: { type: 'string' },
  'page-no': { type: 'string' },
  'page-limit': { type: 'string' },
  all: { type: 'boolean' },
} as const;

/** The fields of a client. Their names in the API have underscores. */
export const FIELD_OPTIONS = {
  email: { type: 'string' },
  'client-name': { type: 'string' },
  'client-type': { type: 'string' },
  'group-name': { type: 'string' },
  'group-token': { type: 'string' },
  'external-id': { type: 'string' },
  'request-status': { type: 'string' },
  'client-status': { type: 'string' },
} as const;

export const ADD_OPTIONS = { 'created-at': { type: 'string' } } as const;
export const UPDATE_OPTIONS = { reason: { type: 'string' } } as const;

export const IMPORT_OPTIONS = {
  'dry-run': { type: 'boolean' },
  only: { type: 'string' },
  'keep-status': { type: 'boolean' },
  mapping: { type: 'string', multiple: true },
  'ignore-unknown-columns': { type: 'boolean' },
  dates: { type: 'string' },
  'time-zone': { type: 'string' },
  values: { type: 'string', multiple: true },
  encoding: { type: 'string' },
  rejects: { type: 'string' },
  quiet: PRINT_OPTIONS.quiet,
} as const;

const OPTIONS = {
  ...GENERAL_OPTIONS,
  ...SHARED_OPTIONS,
  ...FILTER_OPTIONS,
  ...PRINT_OPTIONS,
  ...LIST_OPTIONS,
  ...FIELD_OPTIONS,
  ...ADD_OPTIONS,
  ...UPDATE_OPTIONS,
  ...IMPORT_OPTIONS,
};

export type Values = ReturnType<typeof parseOptions>['values'];

export function parseOptions(args: string[]) {
  checkOptions(args);
  return parseArgs({ args, options: OPTIONS, allowPositionals: true });
}

/** Does what `parseArgs` does in its strict mode, but with messages that name the options of this program. */
function checkOptions(args: string[]): void {
  const { tokens } = parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as keyof typeof OPTIONS] : undefined;
    if (!option) throw new UsageError(`There is no option ${rawName}.${suggestion(rawName, OPTIONS)}`);
    if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    if (option.type === 'boolean') continue;
    const isOption = !inlineValue && value !== undefined && value.length > 1 && value.startsWith('-');
    if (value === undefined || isOption) throw new UsageError(`${rawName} needs a value.`);
  }
}

/** Refuses options of other commands. */
export function requireAccepted(command: string, values: Values, accepted: object, only: string): void {
  const foreign = Object.keys(values).find((name) => !Object.hasOwn(accepted, name));
  if (foreign === undefined) return;
  throw new UsageError(`${command} does not accept --${foreign}, only ${only}.${suggestion(foreign, accepted)}`);
}

function suggestion(given: string, options: object): string {
  const meant = suggestOption(given, Object.keys(options));
  return meant ? ` Did you mean --${meant}?` : '';
}

/** An unset variable in a script must neither list all clients nor remove what is stored. */
export function requireFilled(values: Values, advice: string): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === '') throw new UsageError(`--${name} is empty; ${advice}.`);
  }
}

export function retryForMsOf(values: Values): number | undefined {
  const seconds = wholeNumber('--retry-for', values['retry-for']);
  return seconds === undefined ? undefined : seconds * 1000;
}

export function formatOf({ format }: Values): FormatName | undefined {
  if (format === undefined || isFormat(format)) return format;
  throw new UsageError(`--format must be one of ${Object.keys(FORMATS).join(', ')}.`);
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

export function wholeNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`${option} must be a whole number.`);
}
