import { basename } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import { type CountedRows, toCountedRowsRecord } from '../../domain/clients/counted-rows.ts';
import { DATE_FORMS, type DateForm } from '../../domain/clients/date-form.ts';
import { type GroupChangeSummary, toGroupChangesRecord } from '../../domain/clients/group-change-counts.ts';
import {
  type ImportSummary,
  importClients,
  makeImportId,
  NOTHING_IMPORTED,
  ONLY_ROWS,
  type OnlyRows,
} from '../../domain/clients/import-clients.ts';
import type { ImportRequest } from '../../domain/clients/import-job.ts';
import type { StatusChangeCount } from '../../domain/clients/status-change-counts.ts';
import { startImport } from '../../domain/clients/store-import.ts';
import { requireTimeZone } from '../../domain/clients/time-zone.ts';
import { toValueMapping } from '../../domain/clients/value-mapping.ts';
import type { Environment } from '../../domain/environment.ts';
import { Failure, isFailure } from '../../domain/failure.ts';
import { findWorkspace } from '../../domain/members/index.ts';
import { toMapping } from '../../files/columns.ts';
import { ENCODINGS, type Encoding, WrongEncoding } from '../../files/decode.ts';
import { IMPORT_FORMATS, type ImportFormat, importFormatOf, readImport } from '../../files/read-import.ts';
import { type CommandContext, withStore } from '../context.ts';
import { ExitWithCode, SOME_REJECTED } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { accountOption, environmentOption, jsonOption } from '../options.ts';
import { print, printMessage, progressLine } from '../output.ts';
import { plural } from '../plural.ts';
import { printable } from '../printable.ts';
import { openSource } from './import-source.ts';
import { openRejectedRowsFile, type RejectedRowsFile } from './rejected-rows-file.ts';

interface ImportOptions {
  account: string;
  environment: Environment;
  format?: ImportFormat;
  encoding?: Encoding;
  mapping: Record<string, string>;
  ignoreUnknownColumns?: true;
  dates?: DateForm;
  timeZone?: string;
  values: string[];
  only?: OnlyRows;
  keepStatus?: true;
  dryRun?: true;
  job?: true;
  rejects?: string;
  json?: true;
}

/** Enough to see what is wrong, for a person and for a program. The file that `--rejects` writes has all rejected rows. */
const REJECTS_SHOWN = 20;
const REJECTS_LISTED = 1000;

interface ListedReject {
  line: number;
  reason: string;
}

export function importCommand(): Command {
  return new Command('import')
    .description('Import clients from a CSV, NDJSON or Excel file; importing the same file again adds nobody twice')
    .argument('<file>', 'the file to import, or - for stdin')
    .addOption(accountOption())
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(
      new Option('--format <format>', 'the format of the file, if the ending of its name does not show it').choices(
        IMPORT_FORMATS,
      ),
    )
    .addOption(
      new Option(
        '--encoding <encoding>',
        'the encoding of a file that is not UTF-8 and has no byte order mark',
      ).choices(ENCODINGS),
    )
    .addOption(
      new Option(
        '--mapping <column:field>',
        'which column of the file is which field, if its name is another one; may be repeated',
      )
        .argParser(addToMapping)
        .default({}, 'the names of the columns'),
    )
    .option('--ignore-unknown-columns', 'import a file that has other columns, without them')
    .addOption(
      new Option(
        '--dates <form>',
        'how dates are written: iso as 2026-01-31, day-first as 31.01.2026 or 31/01/2026, month-first as 01/31/2026',
      )
        .choices(DATE_FORMS)
        .default('iso'),
    )
    .option(
      '--time-zone <name>',
      'the time zone of dates and times without an offset, such as Europe/Zurich (default: UTC)',
      (name) => asArgument(() => requireTimeZone(name)),
    )
    .addOption(
      new Option(
        '--values <field:value:word>',
        'which word a value of the file means, such as client_type:Person:individual; may be repeated',
      )
        .argParser(addToValues)
        .default([], 'the words of the fields'),
    )
    .addOption(
      new Option('--only <rows>', 'insert: leave existing clients as they are; update: add no clients').choices(
        ONLY_ROWS,
      ),
    )
    .option('--keep-status', 'let clients that exist keep their statuses, whatever the file says')
    .option('--dry-run', 'check every row against the stored clients without changing anything')
    .option('--job', 'store the file in the database, and let the service import it')
    .option(
      '--rejects <file>',
      'write the rejected rows and the reasons to this CSV file; it is empty if no row was rejected',
    )
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((file: string, options: ImportOptions) =>
      interruptible((stop) =>
        withStore((context) =>
          options.job ? storeImport(context, file, options, stop) : runImport(context, file, options, stop),
        ),
      ),
    );
}

const HELP = `
A CSV file begins with a header. The columns email, client_name, client_type and group_name are required; request_status,
client_status, created_at, reference_id, group_token and external_id are optional. They may be in any order, in any letter
case and with spaces. An NDJSON file has one object per line with the same names. A file may be packed with gzip.
Of an Excel workbook (.xlsx), the first sheet is imported. Groups that do not exist are created. A row updates the client with its
reference_id, or else its external_id, or else its email in its group; if a client is in several rows, the last one counts.
Rows without any value are skipped.

The exit code is 5 if rows were rejected, also in a dry run. With --json, the first ${REJECTS_LISTED} rejected rows are listed, and
rejects_left_out is the number of the others; --rejects writes all of them. When the command is interrupted (Ctrl-C,
SIGTERM), it keeps the rows that it has imported and prints how many they are.

Example:
  $ rollcall import clients.csv --account owner@keller.example --environment production --rejects rejects.csv`;

function addToMapping(pair: string, before: Record<string, string>): Record<string, string> {
  return asArgument(() => ({ ...before, ...toMapping([pair]) }));
}

function addToValues(entry: string, before: readonly string[]): string[] {
  const entries = [...before, entry];
  asArgument(() => toValueMapping(entries));
  return entries;
}

/** Commander then names the option. */
function asArgument<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isFailure(error) ? new InvalidArgumentError(error.message) : error;
  }
}

/** Stores the file for the service, which imports it in the background. */
async function storeImport(
  { store, clock }: CommandContext,
  file: string,
  options: ImportOptions,
  stop: AbortSignal,
): Promise<void> {
  if (options.rejects !== undefined) {
    throw new Failure('bad_parameter', '--rejects cannot be used with --job: the service keeps the rejected rows.');
  }
  const workspaceId = await findWorkspace(store, options.account, options.environment);
  const by = { workspaceId, actor: OPERATOR };
  const { id } = await startImport({ ...store, clock }, by, requestOf(file, options), openSource(file, stop).bytes());
  print(
    options.json,
    { import_id: id, state: 'queued' },
    `Stored as ${id}. The service imports it in the background; see the import page of the dashboard.`,
  );
}

async function runImport(
  { store, clock }: CommandContext,
  file: string,
  options: ImportOptions,
  stop: AbortSignal,
): Promise<void> {
  stop.throwIfAborted();
  const workspaceId = await findWorkspace(store, options.account, options.environment);
  const source = openSource(file, stop);
  const request = requestOf(file, options);
  const rejects = options.rejects === undefined ? undefined : await openRejectedRowsFile(options.rejects, source.stats);
  const meter = progressMeter(source.size);
  const listed: ListedReject[] = [];
  let soFar = NOTHING_IMPORTED;
  const run = importClients(
    { ...store, clock },
    { workspaceId, actor: OPERATOR },
    readImport(source.bytes(), request, stop),
    {
      origin: { id: makeImportId(), name: request.name },
      dryRun: request.dryRun,
      only: request.only,
      keepsStatus: request.keepsStatus,
      dates: request.dates,
      timeZone: request.timeZone,
      values: request.values,
      stop,
      onReject: async (rejection) => {
        if (listed.length < REJECTS_LISTED) listed.push({ line: rejection.row.line, reason: rejection.reason });
        await rejects?.add(rejection);
      },
      onProgress: (summary) => {
        soFar = { ...summary };
        meter.show(summary, source.bytesRead());
      },
    },
  ).finally(meter.end);
  const summary = await finishedWith(run, rejects).catch((error) => {
    if (!options.dryRun) reportPartialImport(soFar, stop);
    // Whatever error ended the import, the signal is the reason.
    stop.throwIfAborted();
    throw withAdvice(error);
  });
  report(summary, listed, options);
  if (summary.rejected > 0) throw new ExitWithCode(SOME_REJECTED);
}

function requestOf(file: string, options: ImportOptions): ImportRequest {
  return {
    name: file === '-' ? 'stdin' : basename(file),
    format: options.format ?? importFormatOf(file),
    encoding: options.encoding,
    dryRun: options.dryRun ?? false,
    only: options.only,
    keepsStatus: options.keepStatus,
    mapping: options.mapping,
    ignoresUnknown: options.ignoreUnknownColumns ?? false,
    dates: options.dates,
    timeZone: options.timeZone,
    values: toValueMapping(options.values),
  };
}

function report(summary: ImportSummary, listed: readonly ListedReject[], options: ImportOptions): void {
  const { statusChanges, groupChanges, emailChanges, emailsElsewhere, repeats, ...counts } = summary;
  const { inserted, updated, unchanged, rejected } = counts;
  if (inserted + updated + unchanged + rejected === 0) printMessage('The file has a header but no rows.');
  if (options.json) {
    const rejects = { rejects: listed, rejects_left_out: rejected - listed.length };
    const effects = {
      status_changes: statusChanges,
      group_changes: toGroupChangesRecord(groupChanges),
      email_changes: toCountedRowsRecord(emailChanges),
      emails_elsewhere: toCountedRowsRecord(emailsElsewhere),
      repeats: toCountedRowsRecord(repeats),
    };
    print(true, { ...counts, ...effects, dry_run: options.dryRun ?? false, ...rejects }, '');
    return;
  }
  const shown = listed.slice(0, REJECTS_SHOWN);
  for (const { line, reason } of shown) printMessage(`line ${line}: ${printable(reason)}`);
  if (rejected > shown.length) printMessage(`… and ${plural(rejected - shown.length, 'more rejected row')}`);
  const text = options.dryRun
    ? `Dry run, nothing was changed: ${inserted} would be added, ${updated} would be updated, ${unchanged} unchanged, ${rejected} would be rejected.`
    : `${inserted} added, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected.`;
  const statuses = statusChanges.map((each) => statusChangeText(each, options));
  const others = [
    ...groupChangeTexts(groupChanges, options),
    ...rowsTexts(emailChanges, options.dryRun ? 'would give a client another email' : 'gave a client another email'),
    ...rowsTexts(emailsElsewhere, `${options.dryRun ? 'would add' : 'added'} a client whose email another group has`),
    ...rowsTexts(
      repeats,
      `${options.dryRun ? 'would replace' : 'replaced'} what an earlier row of the file says about the same client`,
    ),
  ];
  print(false, undefined, [text, ...statuses, ...others].join('\n'));
}

function statusChangeText({ field, from, to, ...where }: StatusChangeCount, { dryRun }: ImportOptions): string {
  const changed = dryRun ? 'would change' : 'changed';
  return `${plural(where.rows, 'row')} ${changed} ${field} from ${from} to ${to}: ${linesText(where)}.`;
}

function groupChangeTexts(changes: GroupChangeSummary, { dryRun }: ImportOptions): string[] {
  const { moves, otherMoves, newGroups, otherNewGroups } = changes;
  const moved = dryRun ? 'would move a client' : 'moved a client';
  const texts = moves.map(
    ({ from, to, ...where }) =>
      `${plural(where.rows, 'row')} ${moved} from the group ${printable(from)} to ${printable(to)}: ${linesText(where)}.`,
  );
  if (otherMoves > 0) texts.push(`${plural(otherMoves, 'more row')} ${moved} to another group.`);
  if (newGroups.length > 0) {
    const names = newGroups.map(printable);
    if (otherNewGroups > 0) names.push(`${otherNewGroups} more`);
    texts.push(`New groups${dryRun ? ' that would be created' : ''}: ${names.join(', ')}.`);
  }
  return texts;
}

function rowsTexts(counted: CountedRows, did: string): string[] {
  return counted.rows === 0 ? [] : [`${plural(counted.rows, 'row')} ${did}: ${linesText(counted)}.`];
}

function linesText({ rows, lines }: Pick<CountedRows, 'rows' | 'lines'>): string {
  return `${rows === 1 ? 'line' : 'lines'} ${lines.join(', ')}${rows > lines.length ? ', …' : ''}`;
}

/** Every batch that was written before the import ended is kept, whatever ended it. */
function reportPartialImport({ inserted, updated, unchanged }: ImportSummary, stop: AbortSignal): void {
  const rows = inserted + updated + unchanged;
  if (rows > 0) {
    const counts = `${inserted} added, ${updated} updated, ${unchanged} unchanged`;
    printMessage(
      `Imported and kept ${plural(rows, 'row')}: ${counts}. Run the command again to import the rest of the file.`,
    );
  } else if (stop.aborted) printMessage('No rows were imported. Run the command again to import the file.');
}

function withAdvice(error: unknown): unknown {
  if (!(error instanceof WrongEncoding) || !error.likely) return error;
  const advice = `Save it as UTF-8, or import it as it is with --encoding ${error.likely}.`;
  return new Failure('bad_parameter', `${error.message} ${advice}`, { cause: error });
}

/** Keeps the file of rejected rows only if the import was completed. */
async function finishedWith(
  run: Promise<ImportSummary>,
  rejects: RejectedRowsFile | undefined,
): Promise<ImportSummary> {
  try {
    const summary = await run;
    await rejects?.finish();
    return summary;
  } catch (error) {
    await rejects?.abandon();
    throw error;
  }
}

function progressMeter(size: number | undefined) {
  const startedAt = performance.now();
  const line = progressLine();
  return {
    show: (summary: ImportSummary, bytesRead: number) => {
      const seconds = (performance.now() - startedAt) / 1000;
      const rows = summary.inserted + summary.updated + summary.unchanged + summary.rejected;
      const share = size ? Math.min(1, bytesRead / size) : undefined;
      const left = share ? `, ${Math.ceil((seconds / share) * (1 - share))} s left` : '';
      const bar = share === undefined ? '' : `${'█'.repeat(Math.round(share * 24)).padEnd(24, '░')} `;
      line.show(`${bar}${plural(rows, 'row')}, ${Math.round(rows / seconds)}/s${left}`);
    },
    end: line.end,
  };
}
