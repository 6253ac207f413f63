import { parseArgs } from 'node:util';
import type { ClientFilters, PageRequest } from '../query.ts';
import { FORMATS, type FormatName } from './formats.ts';
import { suggestOption } from './suggest-option.ts';
import { UsageError } from './usage-error.ts';

export interface ListCommand {
  name: 'list';
  request: PageRequest;
  all: boolean;
  quiet: boolean;
  /** `undefined`: a table on a terminal, NDJSON elsewhere. */
  format: FormatName | undefined;
  /** `undefined`: the default of the package. */
  retryForMs: number | undefined;
}

/** Counts the clients. */
export interface SummaryCommand {
  name: 'summary';
  filters: ClientFilters;
  retryForMs: number | undefined;
}

export interface TokenCommand {
  name: 'token';
  retryForMs: number | undefined;
}

export type Command = ListCommand | SummaryCommand | TokenCommand | { name: 'help' } | { name: 'version' };

const GENERAL_OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

const SHARED_OPTIONS = {
  'retry-for': { type: 'string' },
} as const;

const FILTER_OPTIONS = {
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

const LIST_OPTIONS = {
  order: { type: 'string' },
  include: { type: 'string' },
  'page-no': { type: 'string' },
  'page-limit': { type: 'string' },
  format: { type: 'string' },
  all: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
} as const;

const OPTIONS = { ...GENERAL_OPTIONS, ...SHARED_OPTIONS, ...FILTER_OPTIONS, ...LIST_OPTIONS };

export function parseCommand(args: string[]): Command {
  const { values, positionals } = parse(args);
  const [name, ...rest] = positionals;
  if (values.help || (name === 'help' && rest.length === 0)) return { name: 'help' };
  if (values.version) return { name: 'version' };
  if (name === undefined) throw new UsageError('The command is missing. Add --help to see the commands.');
  if (rest.length > 0)
    throw new UsageError(`"${rest[0]}" is an unexpected argument; put a value with spaces in quotes.`);
  switch (name) {
    case 'list':
      return listCommand(values);
    case 'summary':
      return summaryCommand(values);
    case 'token':
      return tokenCommand(values);
    default:
      throw new UsageError(`There is no command "${name}"; the commands are list, summary and token.`);
  }
}

function parse(args: string[]) {
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
    if (!option) throw unknownOption(rawName);
    if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    if (option.type === 'boolean') continue;
    const isOption = !inlineValue && value !== undefined && value.length > 1 && value.startsWith('-');
    if (value === undefined || isOption) throw new UsageError(`${rawName} needs a value.`);
  }
}

function unknownOption(rawName: string): UsageError {
  const meant = suggestOption(rawName, Object.keys(OPTIONS));
  return new UsageError(`There is no option ${rawName}.${meant ? ` Did you mean --${meant}?` : ''}`);
}

type Values = ReturnType<typeof parse>['values'];

function tokenCommand(values: Values): TokenCommand {
  const foreign = Object.keys(values).find((name) => !Object.hasOwn(SHARED_OPTIONS, name));
  if (foreign !== undefined) throw new UsageError(`token does not accept --${foreign}, only --retry-for.`);
  return { name: 'token', retryForMs: retryForMs(values) };
}

function retryForMs(values: Values): number | undefined {
  const seconds = wholeNumber('--retry-for', values['retry-for']);
  return seconds === undefined ? undefined : seconds * 1000;
}

function summaryCommand(values: Values): SummaryCommand {
  const foreign = Object.keys(values).find((name) => Object.hasOwn(LIST_OPTIONS, name));
  if (foreign !== undefined)
    throw new UsageError(`summary does not accept --${foreign}, only filters and --retry-for.`);
  return { name: 'summary', filters: filtersOf(values), retryForMs: retryForMs(values) };
}

function listCommand(values: Values): ListCommand {
  const { all = false, quiet = false, format } = values;
  if (all && values['page-no'] !== undefined) throw new UsageError('--all lists every page; leave out --page-no.');
  if (format !== undefined && !isFormat(format)) {
    throw new UsageError(`--format must be one of ${Object.keys(FORMATS).join(', ')}.`);
  }
  return {
    name: 'list',
    all,
    quiet,
    format,
    retryForMs: retryForMs(values),
    request: {
      pageNo: wholeNumber('--page-no', values['page-no']),
      pageLimit: wholeNumber('--page-limit', values['page-limit']),
      ...filtersOf(values),
      order: values.order as PageRequest['order'],
      include: values.include as PageRequest['include'],
    },
  };
}

/** Words are not checked here: the service refuses an unknown value and lists those that it accepts. */
function filtersOf(values: Values): ClientFilters {
  for (const [name, value] of Object.entries(values)) {
    // An unset variable in a script must not list all clients.
    if (value === '') throw new UsageError(`--${name} is empty; leave it out if you do not want to filter by it.`);
  }
  return {
    clientEmail: values['client-email'],
    groupName: values['group-name'],
    requestStatus: values['request-status'] as ClientFilters['requestStatus'],
    clientType: values['client-type'] as ClientFilters['clientType'],
    clientStatus: values['client-status'] as ClientFilters['clientStatus'],
    groupToken: values['group-token'],
    referenceId: values['reference-id'],
    externalId: values['external-id'],
    createdFrom: values['created-from'],
    createdTo: values['created-to'],
  };
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

function wholeNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`${option} must be a whole number.`);
}
