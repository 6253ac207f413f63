import { Command, InvalidArgumentError } from 'commander';
import { dayOf, dayText, type Listing } from '../../domain/credentials/key-listings.ts';
import type { ListingKind } from '../../domain/credentials/listing-kinds.ts';
import { findWorkspaceOfKey } from '../../domain/credentials/manage-keys.ts';
import { formatTime, parseDay } from '../../domain/time.ts';
import { withStore } from '../context.ts';
import { examples, jsonOption } from '../options.ts';
import { formatTable, print } from '../output.ts';
import { EXAMPLE_KEY_ID, keyArgument } from './key-options.ts';

const ASKED_FOR: Record<ListingKind, string> = { list: 'pages', summary: 'counts' };

export function listingsCommand(): Command {
  return new Command('listings')
    .description('Show which clients a key has asked for: how often on each day, with which filter')
    .addArgument(keyArgument())
    .option('--from <day>', 'only from this day on, such as 2026-01-31', readDay)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Days are those of UTC. Emails, references and external ids that were asked for are not kept, only that they were. The
service adds its counts every few seconds.
${examples(`rollcall key listings ${EXAMPLE_KEY_ID} --from 2026-01-01`)}`,
    )
    .action((keyId: string, { from, json }: { from?: number; json?: true }) =>
      withStore(async ({ store }) => {
        const workspaceId = await findWorkspaceOfKey(store.keys, keyId);
        const listings = await store.keyListings.ofKey(workspaceId, keyId, { fromDay: from });
        const empty = 'The key has not asked for any clients.';
        print(json, listings.map(toJson), listings.length > 0 ? tableOf(listings) : empty);
      }),
    );
}

function tableOf(listings: readonly Listing[]): string {
  const rows = listings.map(({ day, kind, filter, calls, lastAt }) => [
    dayText(day),
    ASKED_FOR[kind],
    filter || 'all clients',
    String(calls),
    formatTime(lastAt),
  ]);
  return formatTable(['DAY', 'ASKED FOR', 'FILTER', 'CALLS', 'LAST CALL'], rows);
}

function toJson({ day, kind, filter, calls, lastAt }: Listing) {
  return { day: dayText(day), kind, filter, calls, last_at: formatTime(lastAt) };
}

function readDay(value: string): number {
  const start = parseDay(value);
  if (start !== undefined) return dayOf(start);
  throw new InvalidArgumentError('It must be a day such as 2026-01-31.');
}
