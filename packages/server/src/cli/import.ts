import { type BigIntStats, createReadStream, fstatSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { findWorkspace } from '../domain/account.ts';
import { OPERATOR } from '../domain/change.ts';
import type { Environment } from '../domain/environment.ts';
import { Failure } from '../domain/failure.ts';
import { type ImportSummary, importClients, makeImportId } from '../domain/import-clients.ts';
import { FORMATS, type Format, formatOf, readClients } from '../files/read-clients.ts';
import { withStore } from './context.ts';
import { accountOption, environmentOption, jsonOption } from './options.ts';
import { print, progressLine, tell } from './output.ts';
import { printable } from './printable.ts';
import { openRejectsFile, type RejectsFile } from './rejects-file.ts';

interface ImportOptions {
  account: string;
  environment: Environment;
  format?: Format;
  dryRun?: true;
  rejects?: string;
  json?: true;
}

const STDIN = 0;

/** Enough to see what is wrong; the rejects file has all of them. */
const REJECTS_SHOWN = 20;

export function importCommand(): Command {
  return new Command('import')
    .description('Bring clients in from a CSV or NDJSON file; running it again changes nothing')
    .argument('<file>', 'the file, or - for stdin')
    .addOption(accountOption())
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(new Option('--format <format>', 'when the name of the file does not say').choices(FORMATS))
    .option('--dry-run', 'check every row against what is stored, and change nothing')
    .option(
      '--rejects <file>',
      'write the rows that were rejected to this CSV file, with the reason; empty when there are none',
    )
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((file: string, options: ImportOptions) => withStore((context) => runImport(context, file, options)));
}

const HELP = `
Columns: email, client_name, client_type, group_name; optional: request_status, client_status, created_at,
reference_id, group_token. In any order, under a header. Missing groups are created. A row updates the client that has
its reference_id, or else its email in that group.

Example:
  $ rollcall import clients.csv --account owner@keller.example --environment production --rejects rejects.csv`;

async function runImport(
  { store, clock }: Parameters<Parameters<typeof withStore>[0]>[0],
  file: string,
  options: ImportOptions,
): Promise<void> {
  const workspaceId = await findWorkspace(store, options.account, options.environment);
  const source = openSource(file);
  const rejects = options.rejects === undefined ? undefined : await openRejectsFile(options.rejects, source.stats);
  const meter = progressMeter(source.size);
  const shown: { line: number; reason: string }[] = [];
  const run = importClients(
    { ...store, clock },
    { workspaceId, actor: OPERATOR },
    readClients(source.bytes(), options.format ?? formatOf(file)),
    {
      origin: { id: makeImportId(), name: file === '-' ? 'stdin' : basename(file) },
      dryRun: options.dryRun,
      onReject: async (rejection) => {
        if (shown.length < REJECTS_SHOWN) shown.push({ line: rejection.row.line, reason: rejection.reason });
        await rejects?.add(rejection);
      },
      onProgress: (soFar) => meter.show(soFar, source.bytesRead()),
    },
  ).finally(meter.end);
  const summary = await finishedWith(run, rejects);

  if (Object.values(summary).every((count) => count === 0)) tell('The file has a header and no rows.');
  if (!options.json) for (const { line, reason } of shown) tell(`line ${line}: ${printable(reason)}`);
  if (!options.json && summary.rejected > shown.length) tell(`… and ${summary.rejected - shown.length} more`);
  print(options.json, { ...summary, dry_run: options.dryRun ?? false, rejects: shown }, summaryText(summary, options));
}

function summaryText({ inserted, updated, unchanged, rejected }: ImportSummary, { dryRun }: ImportOptions): string {
  const text = `${inserted} inserted, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`;
  return dryRun ? `Dry run, nothing was changed: ${text}.` : `${text}.`;
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

function openSource(file: string) {
  let bytesRead = 0;
  const stats = file === '-' ? fstatSync(STDIN, { bigint: true }) : statsOf(file);
  return {
    stats,
    size: file === '-' ? undefined : Number(stats.size),
    bytesRead: () => bytesRead,
    async *bytes(): AsyncGenerator<Uint8Array> {
      const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
      for await (const chunk of stream) {
        bytesRead += chunk.length;
        yield chunk;
      }
    },
  };
}

function statsOf(file: string): BigIntStats {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  if (!stats?.isFile()) throw new Failure('not_found', `There is no file ${file}.`);
  return stats;
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
