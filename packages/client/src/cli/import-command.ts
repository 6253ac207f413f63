import type { ImportRequest } from '../imports.ts';
import {
  IMPORT_OPTIONS,
  requireAccepted,
  requireFilled,
  retryForMsOf,
  SHARED_OPTIONS,
  type Values,
} from './options.ts';
import { UsageError } from './usage-error.ts';

/** Sends a file, waits until it is imported and prints the result. */
export interface ImportCommand {
  name: 'import';
  /** A path, or `-` for stdin. */
  file: string;
  request: ImportRequest;
  /** Where the rejected rows go. */
  rejects: string | undefined;
  quiet: boolean;
  /** `undefined`: the default of the package. */
  retryForMs: number | undefined;
}

export function importCommand(file: string | undefined, values: Values): ImportCommand {
  requireAccepted('import', values, { ...IMPORT_OPTIONS, ...SHARED_OPTIONS }, 'the options of import');
  requireFilled(values, 'leave it out or give a value');
  // A script whose variable is not set passes an empty text.
  if (!file) throw new UsageError('import needs a file, or - for the standard input.');
  return {
    name: 'import',
    file,
    request: {
      dryRun: values['dry-run'],
      only: values.only as ImportRequest['only'],
      keepStatus: values['keep-status'],
      mapping: mappingOf(values.mapping ?? []),
      ignoreUnknownColumns: values['ignore-unknown-columns'],
      dates: values.dates as ImportRequest['dates'],
      timeZone: values['time-zone'],
      values: wordsOf(values.values ?? []),
      encoding: encodingOf(values.encoding),
    },
    rejects: values.rejects,
    quiet: values.quiet ?? false,
    retryForMs: retryForMsOf(values),
  };
}

const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

function encodingOf(given: string | undefined): ImportRequest['encoding'] {
  const found = ENCODINGS.find((each) => each === given?.toLowerCase());
  if (given === undefined || found) return found;
  throw new UsageError(`--encoding must be one of ${ENCODINGS.join(', ')}.`);
}

/** The last colon separates the two, because a column may have one in its name. */
function mappingOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const separator = pair.lastIndexOf(':');
      if (separator > 0 && !pair.includes(',')) return [pair.slice(0, separator), pair.slice(separator + 1)];
      throw new UsageError('--mapping must be column:field without commas, such as "Full name:client_name".');
    }),
  );
}

/** The first and the last colon separate the three, because a value may have some, too. */
function wordsOf(entries: readonly string[]): ImportRequest['values'] {
  const values: Record<string, Record<string, string>> = {};
  for (const entry of entries) {
    const [, field = '', value = '', word = ''] = /^([^:,]+):([^,]*):([^:,]+)$/.exec(entry) ?? [];
    if (field === '') throw new UsageError('--values must be field:value:word without commas.');
    values[field] = { ...values[field], [value]: word };
  }
  return values;
}
