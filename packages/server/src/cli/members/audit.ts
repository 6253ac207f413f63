import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { getSystemErrorMessage } from 'node:util';
import { Command, Option } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import { publicForm, SigningKeyRing } from '../../domain/credentials/index.ts';
import { Failure } from '../../domain/failure.ts';
import { findAccount } from '../../domain/members/account.ts';
import type { ChainEnd } from '../../domain/members/activity-chain.ts';
import { verifyExport } from '../../domain/members/activity-record.ts';
import { type OpenedCheckpoint, openCheckpoint, signCheckpoint } from '../../domain/members/checkpoint.ts';
import { openActivityExport } from '../../domain/members/export-activity.ts';
import { problemText, verifyActivity } from '../../domain/members/verify-activity.ts';
import { formatTime } from '../../domain/time.ts';
import { activityHeader, activityLine, FORMATS, type Format } from '../../files/index.ts';
import { type CommandContext, withStore } from '../context.ts';
import { examples, jsonOption } from '../options.ts';
import { print, printMessage, writeOutput } from '../output.ts';
import { plural } from '../plural.ts';

export function auditCommand(): Command {
  return new Command('audit')
    .description('Verify and export the activity log, whose entries are chained by their hashes')
    .addCommand(verifyCommand())
    .addCommand(checkpointCommand())
    .addCommand(exportCommand())
    .addHelpText('after', examples('rollcall audit verify', 'rollcall audit checkpoint > checkpoint.json'));
}

interface VerifyOptions {
  checkpoint?: string;
  acceptUnknownKey?: true;
  entries?: string;
  json?: true;
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('Find entries that were changed, removed, moved or added; the exit code is 1 if there are any')
    .option('--checkpoint <file>', 'also compare with what was signed earlier')
    .option(
      '--accept-unknown-key',
      'also if the checkpoint, or a removal of old entries, was signed with a key that has been deleted since',
    )
    .option('--entries <file>', 'verify exported entries instead of those in the database; needs --checkpoint')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Whoever can write to the database can also compute the hashes again. Only a checkpoint that was kept somewhere else shows
that. The details of erased clients are gone, and the log is intact without them.
${examples('rollcall audit verify', 'rollcall audit verify --checkpoint checkpoint.json')}`,
    )
    .action((options: VerifyOptions) =>
      withStore(
        async (context) => {
          const checkpoint = options.checkpoint === undefined ? undefined : await open(context, options);
          const { problems, summary, notes } = await verify(context, options, checkpoint);
          const lines = problems.length > 0 ? problems : [`No problems were found in ${summary}.`];
          const signed = checkpoint && { made_at: formatTime(checkpoint.madeAt), kid: checkpoint.kid };
          const outcome = { ok: problems.length === 0, problems, notes, checkpoint: signed ?? null };
          print(options.json, outcome, [...lines, ...notes].join('\n'));
          if (problems.length > 0)
            throw new Failure('conflict', `Found ${plural(problems.length, 'problem')} in ${summary}.`);
        },
        { skipMigrations: true },
      ),
    );
}

async function verify(
  { store }: CommandContext,
  { entries: file, acceptUnknownKey }: VerifyOptions,
  checkpoint: OpenedCheckpoint | undefined,
): Promise<{ problems: string[]; summary: string; notes: string[] }> {
  const knownKeys = (await store.signingKeys.all()).map(publicForm);
  const against = { knownKeys, acceptUnknownKeys: acceptUnknownKey, signed: checkpoint?.chains };
  const signed = checkpoint && `the checkpoint of ${formatTime(checkpoint.madeAt)}`;
  if (file !== undefined) {
    if (!checkpoint) throw new Failure('bad_parameter', 'Exported entries can only be verified with a --checkpoint.');
    const { entries, problems, absent, unsigned } = await verifyExport(linesOf(file), against);
    const notes = [
      ...(absent.length ? [`Not in the file, but in the checkpoint: ${absent.join(', ')}.`] : []),
      ...(unsigned.length ? [`Not in the checkpoint, but in the file: ${unsigned.join(', ')}.`] : []),
    ];
    const summary = `${plural(entries, 'exported entry', 'exported entries')}, compared with ${signed}`;
    return { problems: problems.map(problemText), summary, notes };
  }
  const verified = await store.activityChains.inSnapshot((chains) => verifyActivity(chains, against));
  const summary = `${plural(verified.entries, 'entry', 'entries')} of ${plural(verified.chains, 'chain')}`;
  return {
    problems: verified.problems.map(problemText),
    summary: signed ? `${summary}, compared with ${signed}` : summary,
    notes: noteOnRemoved(verified.removed),
  };
}

function noteOnRemoved(removed: readonly ChainEnd[]): string[] {
  if (removed.length === 0) return [];
  const entries = removed.reduce((sum, { count }) => sum + count, 0);
  return [
    `${plural(entries, 'old entry was', 'old entries were')} removed from ${plural(removed.length, 'chain')} and ${entries === 1 ? 'is' : 'are'} not verified (ROLLCALL_AUDIT_DAYS).`,
  ];
}

async function open({ store }: CommandContext, options: VerifyOptions): Promise<OpenedCheckpoint> {
  const knownKeys = (await store.signingKeys.all()).map(publicForm);
  const checkpoint = await openCheckpoint(knownKeys, readText(options.checkpoint ?? ''));
  if (checkpoint.isKeyKnown || options.acceptUnknownKey) return checkpoint;
  throw new Failure(
    'conflict',
    `The checkpoint was signed with the key ${checkpoint.kid}, which this installation does not have, or no longer. If you have kept the file where nobody could replace it, add --accept-unknown-key.`,
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): unknown {
  const { errno } = error as NodeJS.ErrnoException;
  if (typeof errno !== 'number') return error;
  return new Failure('bad_parameter', `${file} cannot be read: ${getSystemErrorMessage(errno)}.`, { cause: error });
}

function checkpointCommand(): Command {
  return new Command('checkpoint')
    .description('Print where the log ends now, signed; keep it where nobody who can change the database can change it')
    .addHelpText(
      'after',
      `
It holds no personal data. With it, \`rollcall audit verify --checkpoint\` shows later whether anything that is in the log
now was changed or removed.
${examples('rollcall audit checkpoint > checkpoint.json')}`,
    )
    .action(() =>
      withStore(
        async ({ store, clock }) => {
          const signingKeys = await SigningKeyRing.open({ ...store, clock });
          const madeAt = clock.now();
          const chains = await store.activityChains.inSnapshot((read) => read.ends());
          const signed = await signCheckpoint({ signingKeys }, { madeAt, chains });
          print(true, signed, '');
        },
        { needsSecret: true },
      ),
    );
}

function exportCommand(): Command {
  return new Command('export')
    .description('Write the log to stdout, chain by chain, oldest first, as a consistent snapshot')
    .option('--account <account>', "only that of one account, given by its owner's email or its id")
    .addOption(new Option('--format <format>', 'the format of the output').choices(FORMATS).default('ndjson'))
    .addHelpText('after', examples('rollcall audit export --account owner@keller.example --format csv > activity.csv'))
    .action((options: { account?: string; format: Format }) =>
      withStore(async ({ store, clock }) => {
        const account = options.account === undefined ? undefined : await findAccount(store, options.account);
        const { records, close } = await openActivityExport({ ...store, clock }, OPERATOR, account?.id);
        try {
          await writeOutput(activityHeader(options.format));
          let entries = 0;
          for await (const record of records) {
            await writeOutput(activityLine(options.format, record));
            if ('number' in record) entries++;
          }
          printMessage(plural(entries, 'entry', 'entries'));
        } finally {
          await close();
        }
      }),
    );
}
