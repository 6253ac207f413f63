import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Chain } from '../../domain/members/activity-chain.ts';
import type { Cut } from '../../domain/members/activity-cut.ts';
import type { StoredEntry } from '../../domain/members/chain-check.ts';
import type { ActivityChains, ChainsRead, OwnedEnd } from '../../domain/members/verify-activity.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { INSTALLATION_ID } from '../installation.ts';
import type { Tables } from '../tables.ts';

const ENTRIES_AT_ONCE = 2000;

export function openActivityChains(engine: Engine): ActivityChains {
  const open = async () => {
    const { db, close } = await engine.openSnapshot();
    return { chains: chainsIn(db), close };
  };
  return {
    open,
    inSnapshot: async (work) => {
      const { chains, close } = await open();
      try {
        return await work(chains);
      } finally {
        await close();
      }
    },
  };
}

/** The chains as they are in one snapshot. */
export function chainsIn(db: ReadOnlyDatabase): ChainsRead {
  return {
    ends: (accountId) => readEnds(db, accountId),
    cuts: () => readCuts(db),
    entries: (chain) => readEntries(db, chain),
    named: async () => {
      // Read as steps through the index, because there are few chains and many entries.
      const { rows } = await sql<{ chain: string }>`with recursive named (chain) as (
          select min(chain) from activity_entries
          union all
          select (select min(chain) from activity_entries where chain > named.chain) from named where chain is not null
        ) select chain from named where chain is not null`.execute(db);
      return rows.map(({ chain }) => chain);
    },
  };
}

async function readEnds(db: ReadOnlyDatabase, accountId?: number): Promise<OwnedEnd[]> {
  const head = ['activity_count as count', 'activity_hash as hash'] as const;
  let accounts = db
    .selectFrom('accounts')
    .select(['id', ...head, lastAtOf(sql`'account:' || accounts.id`)])
    .orderBy('id');
  let workspaces = db
    .selectFrom('workspaces')
    .select(['id', 'account_id', ...head, lastAtOf(sql`'workspace:' || workspaces.id`)])
    .orderBy('id');
  if (accountId !== undefined) {
    accounts = accounts.where('id', '=', accountId);
    workspaces = workspaces.where('account_id', '=', accountId);
  }
  const ends: OwnedEnd[] = [
    ...(await accounts.execute()).map(({ id, last_at, ...end }) => ({
      chain: `account:${id}` as const,
      accountId: id,
      lastAt: timeOf(last_at),
      ...end,
    })),
    ...(await workspaces.execute()).map(({ id, account_id, last_at, ...end }) => ({
      chain: `workspace:${id}` as const,
      accountId: account_id,
      lastAt: timeOf(last_at),
      ...end,
    })),
  ];
  if (accountId !== undefined) return ends;
  const installation = await db
    .selectFrom('installation')
    .select([...head, lastAtOf(sql`'installation'`)])
    .where('id', '=', INSTALLATION_ID)
    .executeTakeFirstOrThrow();
  const { last_at, ...end } = installation;
  return [{ chain: 'installation', accountId: null, lastAt: timeOf(last_at), ...end }, ...ends];
}

function lastAtOf(chain: RawBuilder<unknown>) {
  return sql<number | null>`(select at from activity_entries where chain = ${chain} order by number desc limit 1)`.as(
    'last_at',
  );
}

function timeOf(at: number | null): number | undefined {
  return at === null ? undefined : Number(at);
}

async function* readEntries(db: ReadOnlyDatabase, chain: string): AsyncGenerator<StoredEntry> {
  // From the very beginning: somebody may have added entries before the first one.
  let rest = db.selectFrom('activity_entries').where('chain', '=', chain);
  for (;;) {
    const rows = await rest.selectAll().orderBy('number').limit(ENTRIES_AT_ONCE).execute();
    for (const row of rows) yield toStored(row);
    const last = rows.at(-1);
    if (!last) return;
    rest = db.selectFrom('activity_entries').where('chain', '=', chain).where('number', '>', last.number);
  }
}

export function toStored(row: Selectable<Tables['activity_entries']>): StoredEntry {
  const { part_of, request_id, details_hash, account_id, continues, ...entry } = row;
  const shown = { accountId: account_id, continues: continues !== 0 };
  return { ...entry, partOf: part_of, requestId: request_id, detailsHash: details_hash, shown };
}

export async function readCuts(db: ReadOnlyDatabase, chain?: Chain): Promise<Cut[]> {
  let cuts = db.selectFrom('activity_cuts').selectAll().orderBy('chain');
  if (chain !== undefined) cuts = cuts.where('chain', '=', chain);
  return (await cuts.execute()) as Cut[];
}
