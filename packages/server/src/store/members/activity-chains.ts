import { type Selectable, sql } from 'kysely';
import type { Chain, ChainEnd } from '../../domain/members/activity-chain.ts';
import type { ActivityChains, ChainsRead, StoredEntry } from '../../domain/members/verify-activity.ts';
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
    entries: (chain) => readEntries(db, chain),
    unknownChains: async () => {
      const known = (await readEnds(db)).map(({ chain }) => chain as string);
      // Read as steps through the index, because there are few chains and many entries.
      const { rows } = await sql<{ chain: string }>`with recursive named (chain) as (
          select min(chain) from activity_entries
          union all
          select (select min(chain) from activity_entries where chain > named.chain) from named where chain is not null
        ) select chain from named where chain is not null`.execute(db);
      return rows.map(({ chain }) => chain).filter((chain) => !known.includes(chain));
    },
  };
}

async function readEnds(db: ReadOnlyDatabase, accountId?: number): Promise<ChainEnd[]> {
  const columns = ['id', 'activity_count as count', 'activity_hash as hash'] as const;
  let accounts = db.selectFrom('accounts').select(columns).orderBy('id');
  let workspaces = db.selectFrom('workspaces').select(columns).orderBy('id');
  if (accountId !== undefined) {
    accounts = accounts.where('id', '=', accountId);
    workspaces = workspaces.where('account_id', '=', accountId);
  }
  const ends = [
    ...(await accounts.execute()).map((row) => endOf(`account:${row.id}`, row)),
    ...(await workspaces.execute()).map((row) => endOf(`workspace:${row.id}`, row)),
  ];
  if (accountId !== undefined) return ends;
  const installation = await db
    .selectFrom('installation')
    .select(columns)
    .where('id', '=', INSTALLATION_ID)
    .executeTakeFirstOrThrow();
  return [endOf('installation', installation), ...ends];
}

function endOf(chain: Chain, { count, hash }: { count: number; hash: string }): ChainEnd {
  return { chain, count, hash };
}

async function* readEntries(db: ReadOnlyDatabase, chain: string): AsyncGenerator<StoredEntry> {
  let after = 0;
  for (;;) {
    const rows = await db
      .selectFrom('activity_entries')
      .where('chain', '=', chain)
      .where('number', '>', after)
      .selectAll()
      .orderBy('number')
      .limit(ENTRIES_AT_ONCE)
      .execute();
    for (const row of rows) yield toStored(row);
    const last = rows.at(-1);
    if (!last) return;
    after = last.number;
  }
}

function toStored({ part_of, request_id, details_hash, ...row }: Selectable<Tables['activity_entries']>): StoredEntry {
  return { ...row, partOf: part_of, requestId: request_id, detailsHash: details_hash };
}
