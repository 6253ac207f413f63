import { Command, InvalidArgumentError } from 'commander';
import { dayOf, dayText, type Listing } from '../../domain/credentials/key-listings.ts';
import type { ListingKind } from '../../domain/credentials/listing-kinds.ts';
import { findWorkspaceOfKey } from '../../domain/credentials/manage-keys.ts';
import { formatTime, parseDay } from '../../domain/time.ts';
import { withStore } from '../context.ts';
import { examples, jsonOption } from '../options.ts';
import { formatTable, print } from '../output.ts';
import { plural } from '../plural.ts';
import { EXAMPLE_KEY_ID, keyArgument } from './key-options.ts';

const REQUESTED: Record<ListingKind, string> = { list: 'lists', summary: 'counts', client: 'single clients' };

export function listingsCommand(): Command {
  return new Command('listings')
    .description(
      'Show which lists and counts of clients, and how many single clients, a key has requested, by day and filter',
    )
    .addArgument(keyArgument())
    .option('--from <day>', 'only from this day on, such as 2026-01-31', readDay)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Days are those of UTC. Of emails, references and external ids, only the fact that they were used is recorded. The service
adds its counts every few seconds.
${examples(`rollcall key listings ${EXAMPLE_KEY_ID} --from 2026-01-01`)}`,
    )
    .action((keyId: string, { from, json }: { from?: number; json?: true }) =>
      withStore(async ({ store, config }) => {
        const workspaceId = await findWorkspaceOfKey(store.keys, keyId);
        const listings = await store.keyListings.ofKey(workspaceId, keyId, { fromDay: from });
        const text = listings.length > 0 ? tableOf(listings) : emptyText(from, config.auditDays);
        print(json, listings.map(toJson), text);
      }),
    );
}

/** Nothing on record does not mean that nothing was requested. */
function emptyText(from: number | undefined, keptDays: number): string {
  const kept = keptDays > 0 ? ` Records are kept for today and the ${plural(keptDays, 'day')} before.` : '';
  const since = from === undefined ? ' of this key are on record' : ` are on record since ${dayText(from)}`;
  return `No requests for clients${since}.${kept}`;
}

function tableOf(listings: readonly Listing[]): string {
  const rows = listings.map(({ day, kind, filter, calls, lastAt }) => [
    dayText(day),
    String(calls),
    formatTime(lastAt),
    REQUESTED[kind],
    filter || (kind === 'client' ? '' : 'all clients'),
  ]);
  return formatTable(['DAY', 'CALLS', 'LAST CALL', 'REQUESTED', 'FILTER'], rows);
}

function toJson({ day, kind, filter, calls, lastAt }: Listing) {
  return { day: dayText(day), kind, filter, calls, last_at: formatTime(lastAt) };
}

function readDay(value: string): number {
  const start = parseDay(value);
  if (start !== undefined) return dayOf(start);
  throw new InvalidArgumentError('It must be an existing day, such as 2026-01-31.');
}
