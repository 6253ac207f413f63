import { createReadStream, readFileSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { Command, Option } from 'commander';
import { OPERATOR } from '../../domain/change.ts';
import { ownKeysOf, type PublicSigningKey, publicForm, SigningKeyRing } from '../../domain/credentials/index.ts';
import { Failure } from '../../domain/failure.ts';
import { SecretUnavailable } from '../../domain/installation-secrets.ts';
import { findAccount } from '../../domain/members/account.ts';
import type { ChainEnd } from '../../domain/members/activity-chain.ts';
import { verifyExport } from '../../domain/members/activity-record.ts';
import { type OpenedCheckpoint, openCheckpoint, signCheckpoint } from '../../domain/members/checkpoint.ts';
import { openActivityExport } from '../../domain/members/export-activity.ts';
import { problemText, verifyActivity } from '../../domain/members/verify-activity.ts';
import { formatTime } from '../../domain/time.ts';
import { activityHeader, activityLine, FORMATS, type Format } from '../../files/index.ts';
import type { Store } from '../../store/open-store.ts';
import { withStore } from '../context.ts';
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
  partial?: true;
  json?: true;
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('Find entries that were changed, removed, moved or added; the exit code is 1 if there are any')
    .option('--checkpoint <file>', 'also compare with what was signed earlier')
    .option(
      '--accept-unknown-key',
      'accept a checkpoint that was signed with a key that this installation does not have',
    )
    .option('--entries <file>', 'verify exported entries instead of those in the database; needs --checkpoint')
    .option('--partial', 'the exported entries are only some of those in the checkpoint, such as those of one account')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Whoever can write to the database can also compute the hashes again. Only a checkpoint that was kept somewhere else shows
that. The details of erased clients are gone, and the log is intact without them.

With --entries and --accept-unknown-key, no database is needed, so an auditor can do it elsewhere.
${examples('rollcall audit verify', 'rollcall audit verify --checkpoint checkpoint.json')}`,
    )
    .action(async (options: VerifyOptions) => {
      if (options.entries !== undefined && options.acceptUnknownKey)
        return report(options, await verifyFile(options, []));
      return withStore(
        async ({ store }) => {
          const knownKeys = await knownKeysOf(store);
          const verified =
            options.entries === undefined
              ? await verifyStored(store, options, knownKeys)
              : await verifyFile(options, knownKeys);
          report(options, verified);
        },
        { skipMigrations: true },
      );
    });
}

/** What was found, and about what. */
interface Verified {
  problems: string[];
  summary: string;
  notes: string[];
  checkpoint: OpenedCheckpoint | undefined;
}

function report({ json }: VerifyOptions, { problems, summary, notes, checkpoint }: Verified): void {
  const lines = problems.length > 0 ? problems : [`No problems were found in ${summary}.`];
  const signed = checkpoint && { made_at: formatTime(checkpoint.madeAt), kid: checkpoint.kid };
  const outcome = { ok: problems.length === 0, problems, notes, checkpoint: signed ?? null };
  print(json, outcome, [...lines, ...notes].join('\n'));
  if (problems.length > 0) throw new Failure('conflict', `Found ${plural(problems.length, 'problem')} in ${summary}.`);
}

async function verifyStored(
  store: Store,
  options: VerifyOptions,
  knownKeys: readonly PublicSigningKey[],
): Promise<Verified> {
  const checkpoint = options.checkpoint === undefined ? undefined : await open(options.checkpoint, options, knownKeys);
  const against = { knownKeys, signed: checkpoint?.chains };
  const verified = await store.activityChains.inSnapshot((chains) => verifyActivity(chains, against));
  const summary = `${plural(verified.entries, 'entry', 'entries')} of ${plural(verified.chains, 'chain')}`;
  return {
    problems: verified.problems.map(problemText),
    summary: summary + comparedText(checkpoint),
    notes: notesOnRemoved(verified.removed, checkpoint),
    checkpoint,
  };
}

async function verifyFile(options: VerifyOptions, knownKeys: readonly PublicSigningKey[]): Promise<Verified> {
  if (options.checkpoint === undefined) {
    throw new Failure('bad_parameter', 'Exported entries can only be verified with a --checkpoint.');
  }
  const checkpoint = await open(options.checkpoint, options, knownKeys);
  // Whoever trusts the checkpoint trusts its key, and no other.
  const against = { knownKeys: [...knownKeys, checkpoint.key], signed: checkpoint.chains };
  const verified = await verifyExport(linesOf(options.entries ?? ''), against);
  const { entries, absent, unsigned, newer } = verified;
  const problems = verified.problems.map(problemText);
  if (!options.partial) problems.push(...absent.map((chain) => `${chain} is in the checkpoint and not in the file`));
  const notes = [
    ...(problems.length > 0 ? [NEWER_CHECKPOINT] : []),
    ...(options.partial && absent.length > 0 ? [`Not in the file: ${absent.join(', ')}.`] : []),
    ...(unsigned.length > 0 ? [`Not in the checkpoint: ${unsigned.join(', ')}.`] : []),
    ...(newer > 0
      ? [`${plural(newer, 'entry is', 'entries are')} newer than the checkpoint; whether more followed is not known.`]
      : []),
    ...notesOnRemoved(verified.removed, checkpoint),
  ];
  const summary = plural(entries, 'exported entry', 'exported entries') + comparedText(checkpoint);
  return { problems, summary, notes, checkpoint };
}

const NEWER_CHECKPOINT =
  'A checkpoint that was made after the export contains entries that the export does not. If the file is that of one account, add --partial.';

function comparedText(checkpoint: OpenedCheckpoint | undefined): string {
  return checkpoint ? `, compared with the checkpoint of ${formatTime(checkpoint.madeAt)}` : '';
}

function notesOnRemoved(removed: readonly ChainEnd[], checkpoint: OpenedCheckpoint | undefined): string[] {
  if (removed.length === 0) return [];
  const entries = removed.reduce((sum, { count }) => sum + count, 0);
  const signed = new Map(checkpoint?.chains.map((end) => [end.chain, end]));
  const gone = removed.filter(({ chain, count }) => (signed.get(chain)?.count ?? count) < count);
  return [
    `${plural(entries, 'old entry was', 'old entries were')} removed from ${plural(removed.length, 'chain')} (ROLLCALL_AUDIT_DAYS) and can no longer be verified.`,
    ...(gone.length > 0
      ? [`Nothing that the checkpoint contains is left of ${gone.map(({ chain }) => chain).join(', ')}.`]
      : []),
  ];
}

/** Only keys that the installation has made. Without its secret, that cannot be found out, and all in the database count. */
async function knownKeysOf({ signingKeys, sealed, secrets }: Store): Promise<PublicSigningKey[]> {
  const keys = await signingKeys.all();
  const secretId = await sealed.secretId();
  try {
    return secretId === null ? keys.map(publicForm) : ownKeysOf(secrets.byId(secretId), keys);
  } catch (error) {
    if (error instanceof SecretUnavailable) return keys.map(publicForm);
    throw error;
  }
}

async function open(
  file: string,
  { acceptUnknownKey }: VerifyOptions,
  knownKeys: readonly PublicSigningKey[],
): Promise<OpenedCheckpoint> {
  const checkpoint = await openCheckpoint(knownKeys, readText(file));
  if (checkpoint.isKeyKnown || acceptUnknownKey) return checkpoint;
  throw new Failure(
    'conflict',
    `The checkpoint was signed with the key ${checkpoint.kid}, which this installation does not have (any more). If you have kept the file where nobody could replace it, add --accept-unknown-key.`,
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Split only where an export ends its lines: other programs also take some characters within texts for ends of lines. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const piece of createReadStream(file, 'utf8')) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  yield rest;
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
        const exported = { accountId: account?.id, format: options.format };
        const { records, close } = await openActivityExport({ ...store, clock }, OPERATOR, exported);
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
