import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import { type ImportSummary, importClients, makeImportId } from '../../domain/clients/import-clients.ts';
import type { Environment } from '../../domain/environment.ts';
import { Failure } from '../../domain/failure.ts';
import { findWorkspace } from '../../domain/members/index.ts';
import { ENCODINGS, type Encoding, WrongEncoding } from '../../files/decode.ts';
import { FORMATS, type Format, formatOf, readClients } from '../../files/read-clients.ts';
import { type CommandContext, withStore } from '../context.ts';
import { EndWith, SOME_REJECTED } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { accountOption, environmentOption, jsonOption } from '../options.ts';
import { print, progressLine, tell } from '../output.ts';
import { printable } from '../printable.ts';
import { openSource } from './import-source.ts';
import { openRejectsFile, type RejectsFile } from './rejects-file.ts';

interface ImportOptions {
  account: string;
  environment: Environment;
  format?: Format;
  encoding?: Encoding;
  dryRun?: true;
  rejects?: string;
  json?: true;
}

/** Enough to see what is wrong, for a person and for a program; the rejects file has all of them. */
const REJECTS_SHOWN = 20;
const REJECTS_LISTED = 1000;

interface ListedReject {
  line: number;
  reason: string;
}

export function importCommand(): Command {
  return new Command('import')
    .description('Bring clients in from a CSV or NDJSON file; running it again changes nothing')
    .argument('<file>', 'the file, or - for stdin')
    .addOption(accountOption())
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(new Option('--format <format>', 'when the name of the file does not say').choices(FORMATS))
    .addOption(
      new Option('--encoding <encoding>', 'of a file that is neither UTF-8 nor has a byte order mark').choices(
        ENCODINGS,
      ),
    )
    .option('--dry-run', 'check every row against what is stored, and change nothing')
    .option(
      '--rejects <file>',
      'write the rows that were rejected to this CSV file, with the reason; empty when there are none',
    )
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((file: string, options: ImportOptions) =>
      interruptible((stop) => withStore((context) => runImport(context, file, options, stop))),
    );
}

const HELP = `
Columns: email, client_name, client_type, group_name; optional: request_status, client_status, created_at,
reference_id, group_token. In any order, under a header. Missing groups are created. A row updates the client that has
its reference_id, or else its email in that group.

It exits with 5 when rows were rejected, also in a dry run. With --json, at most the first ${REJECTS_LISTED} of them are listed, and
rejects_left_out says how many are not; --rejects writes all of them. Told to stop (Ctrl-C, SIGTERM), it keeps what it
has imported and says how much that is.

Example:
  $ rollcall import clients.csv --account owner@keller.example --environment production --rejects rejects.csv`;

async function runImport(
  { store, clock }: CommandContext,
  file: string,
  options: ImportOptions,
  stop: AbortSignal,
): Promise<void> {
  stop.throwIfAborted();
  const workspaceId = await findWorkspace(store, options.account, options.environment);
  const source = openSource(file, stop);
  const rejects = options.rejects === undefined ? undefined : await openRejectsFile(options.rejects, source.stats);
  const meter = progressMeter(source.size);
  const listed: ListedReject[] = [];
  let soFar: ImportSummary = { inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  const run = importClients(
    { ...store, clock },
    { workspaceId, actor: OPERATOR },
    readClients(source.bytes(), options.format ?? formatOf(file), options.encoding),
    {
      origin: { id: makeImportId(), name: file === '-' ? 'stdin' : basename(file) },
      dryRun: options.dryRun,
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
    if (!options.dryRun) tellWhatStays(soFar, stop);
    // However it came to an end: the signal is why.
    stop.throwIfAborted();
    throw withAdvice(error);
  });
  report(summary, listed, options);
  if (summary.rejected > 0) throw new EndWith(SOME_REJECTED);
}

function report(summary: ImportSummary, listed: readonly ListedReject[], options: ImportOptions): void {
  const { inserted, updated, unchanged, rejected } = summary;
  if (inserted + updated + unchanged + rejected === 0) tell('The file has a header and no rows.');
  if (options.json) {
    const rejects = { rejects: listed, rejects_left_out: rejected - listed.length };
    print(true, { ...summary, dry_run: options.dryRun ?? false, ...rejects }, '');
    return;
  }
  const shown = listed.slice(0, REJECTS_SHOWN);
  for (const { line, reason } of shown) tell(`line ${line}: ${printable(reason)}`);
  if (rejected > shown.length) tell(`… and ${rejected - shown.length} more`);
  const text = `${inserted} inserted, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`;
  print(false, undefined, options.dryRun ? `Dry run, nothing was changed: ${text}.` : `${text}.`);
}

/** Every batch that was written before the end is there, whatever ended the import. */
function tellWhatStays({ inserted, updated, unchanged }: ImportSummary, stop: AbortSignal): void {
  const rows = inserted + updated + unchanged;
  if (rows === 0 && !stop.aborted) return;
  const what = `${inserted} inserted, ${updated} updated, ${unchanged} unchanged`;
  tell(`${rows} rows were imported and stay: ${what}. Running it again imports the rest.`);
}

function withAdvice(error: unknown): unknown {
  if (!(error instanceof WrongEncoding) || !error.likely) return error;
  const advice = `Save it as UTF-8, or import it as it is with --encoding ${error.likely}.`;
  return new Failure('bad_parameter', `${error.message} ${advice}`, { cause: error });
}

/** The rejected rows are kept if the import went through to its end, and only then. */
async function finishedWith(run: Promise<ImportSummary>, rejects: RejectsFile | undefined): Promise<ImportSummary> {
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
      line.show(`${bar}${rows} rows, ${Math.round(rows / seconds)}/s${left}`);
    },
    end: line.end,
  };
}
