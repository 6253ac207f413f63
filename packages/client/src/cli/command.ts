import type { ClientFilters, PageRequest } from '../query.ts';
import type { FormatName } from './formats.ts';
import { type ImportCommand, importCommand } from './import-command.ts';
import {
  FILTER_OPTIONS,
  formatOf,
  LIST_OPTIONS,
  PRINT_OPTIONS,
  parseOptions,
  requireAccepted,
  requireFilled,
  retryForMsOf,
  SHARED_OPTIONS,
  type Values,
  wholeNumber,
} from './options.ts';
import { UsageError } from './usage-error.ts';
import { type AddCommand, addCommand, type UpdateCommand, updateCommand } from './write-command.ts';

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

export type Command =
  | ListCommand
  | SummaryCommand
  | AddCommand
  | UpdateCommand
  | ImportCommand
  | TokenCommand
  | { name: 'help' }
  | { name: 'version' };

const COMMANDS = 'list, summary, add, update, import and token';

export function parseCommand(args: string[]): Command {
  const { values, positionals } = parseOptions(args);
  const [name, ...rest] = positionals;
  if (values.help || (name === 'help' && rest.length === 0)) return { name: 'help' };
  if (values.version) return { name: 'version' };
  switch (name) {
    case undefined:
      throw new UsageError('The command is missing. Add --help to see the commands.');
    case 'list':
      requireNoMore(rest);
      return listCommand(values);
    case 'summary':
      requireNoMore(rest);
      return summaryCommand(values);
    case 'add':
      requireNoMore(rest);
      return addCommand(values);
    case 'update': {
      const [referenceId, ...more] = rest;
      requireNoMore(more);
      return updateCommand(referenceId, values);
    }
    case 'import': {
      const [file, ...more] = rest;
      requireNoMore(more);
      return importCommand(file, values);
    }
    case 'token':
      requireNoMore(rest);
      return tokenCommand(values);
    default:
      throw new UsageError(`There is no command "${name}"; the commands are ${COMMANDS}.`);
  }
}

function requireNoMore([unexpected]: string[]): void {
  if (unexpected === undefined) return;
  throw new UsageError(`"${unexpected}" is an unexpected argument; put a value with spaces in quotes.`);
}

function tokenCommand(values: Values): TokenCommand {
  requireAccepted('token', values, SHARED_OPTIONS, '--retry-for');
  return { name: 'token', retryForMs: retryForMsOf(values) };
}

function summaryCommand(values: Values): SummaryCommand {
  requireAccepted('summary', values, { ...FILTER_OPTIONS, ...SHARED_OPTIONS }, 'filters and --retry-for');
  return { name: 'summary', filters: filtersOf(values), retryForMs: retryForMsOf(values) };
}

function listCommand(values: Values): ListCommand {
  const accepted = { ...FILTER_OPTIONS, ...LIST_OPTIONS, ...PRINT_OPTIONS, ...SHARED_OPTIONS };
  requireAccepted('list', values, accepted, 'filters and the options of list');
  const { all = false, quiet = false } = values;
  if (all && values['page-no'] !== undefined) throw new UsageError('--all lists every page; leave out --page-no.');
  return {
    name: 'list',
    all,
    quiet,
    format: formatOf(values),
    retryForMs: retryForMsOf(values),
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
  requireFilled(values, 'leave it out if you do not want to filter by it');
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
