import type { ClientPatch, NewClient } from '../generated/api.ts';
import type { FormatName } from './formats.ts';
import {
  ADD_OPTIONS,
  FIELD_OPTIONS,
  formatOf,
  PRINT_OPTIONS,
  requireAccepted,
  requireFilled,
  retryForMsOf,
  SHARED_OPTIONS,
  UPDATE_OPTIONS,
  type Values,
} from './options.ts';
import { UsageError } from './usage-error.ts';

/** A command that changes a client and prints it. */
interface WriteCommand {
  quiet: boolean;
  /** `undefined`: a table on a terminal, NDJSON elsewhere. */
  format: FormatName | undefined;
  /** `undefined`: the default of the package. */
  retryForMs: number | undefined;
}

export interface AddCommand extends WriteCommand {
  name: 'add';
  client: NewClient;
}

export interface UpdateCommand extends WriteCommand {
  name: 'update';
  referenceId: string;
  patch: ClientPatch;
}

export function addCommand(values: Values): AddCommand {
  const fields = { ...FIELD_OPTIONS, ...ADD_OPTIONS };
  const { email, 'client-name': clientName, 'client-type': clientType } = values;
  const given = readFields('add', values, fields);
  const group = values['group-name'] ?? values['group-token'];
  if (email === undefined || clientName === undefined || clientType === undefined || group === undefined) {
    throw new UsageError('add needs --email, --client-name, --client-type, and --group-name or --group-token.');
  }
  const required = { email, client_name: clientName, client_type: clientType as NewClient['client_type'] };
  return { name: 'add', client: { ...given, ...required }, ...writeCommand(values) };
}

export function updateCommand(referenceId: string | undefined, values: Values): UpdateCommand {
  const patch: ClientPatch = readFields('update', values, { ...FIELD_OPTIONS, ...UPDATE_OPTIONS });
  // A script whose variable is not set passes an empty text.
  if (!referenceId) throw new UsageError('update needs the reference of a client, as list prints it.');
  if (!Object.keys(FIELD_OPTIONS).some((name) => Object.hasOwn(values, name))) {
    throw new UsageError('update needs a field to change, such as --request-status accepted.');
  }
  return { name: 'update', referenceId, patch, ...writeCommand(values) };
}

function writeCommand(values: Values): WriteCommand {
  return { quiet: values.quiet ?? false, format: formatOf(values), retryForMs: retryForMsOf(values) };
}

/** The given fields with their names in the API. Words are not checked here: the service lists those that it accepts. */
function readFields(command: string, values: Values, fields: object): Record<string, string> {
  const accepted = { ...fields, ...PRINT_OPTIONS, ...SHARED_OPTIONS };
  requireAccepted(command, values, accepted, `the fields of a client and the options of ${command}`);
  requireFilled(values, 'leave it out or give a value');
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => Object.hasOwn(fields, name))
      .map(([name, value]) => [name.replaceAll('-', '_'), String(value)]),
  );
}
