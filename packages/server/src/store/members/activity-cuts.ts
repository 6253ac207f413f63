import { sql } from 'kysely';
import type { Chain } from '../../domain/members/activity-chain.ts';
import type { ActivityCuts, CutChanges } from '../../domain/members/activity-cut.ts';
import type { Engine } from '../engines/engine.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { readCuts, toStored } from './activity-chains.ts';

export function openActivityCuts(engine: Engine): ActivityCuts {
  return {
    signedByOthers: async (kid, after, limit) => {
      const cuts = engine.reads.selectFrom('activity_cuts').where('kid', '<>', kid).where('chain', '>', after);
      const rows = await cuts.select('chain').orderBy('chain').limit(limit).execute();
      return rows.map(({ chain }) => chain as Chain);
    },

    // Steps through the index, because there are few chains and many entries.
    chainsAfter: async (chain, limit) => {
      const { rows } = await sql<{ chain: Chain; first_at: number }>`with recursive named (chain, place) as (
          select min(chain), 1 from activity_entries where chain > ${chain}
          union all
          select (select min(chain) from activity_entries where chain > named.chain), place + 1
            from named where chain is not null and place < ${limit}
        ) select chain, (select at from activity_entries entry where entry.chain = named.chain order by number limit 1)
            as first_at
          from named where chain is not null order by chain`.execute(engine.reads);
      return rows.map((row) => ({ chain: row.chain, firstAt: Number(row.first_at) }));
    },
  };
}

export function cutChangesIn({ db }: UnitOfWork): CutChanges {
  return {
    all: () => readCuts(db),

    find: async (chain) => (await readCuts(db, chain))[0],

    ownerOf: async (chain) => {
      const [kind, id] = chain.split(':');
      if (kind === 'installation') return null;
      if (kind === 'account') return Number(id);
      const workspaces = db.selectFrom('workspaces').where('id', '=', Number(id));
      return (await workspaces.select('account_id').executeTakeFirst())?.account_id;
    },

    erasedAfter: async (chain, number, clients) => {
      if (clients.length === 0) return new Set();
      const rows = await db
        .selectFrom('activity_entries')
        .where('chain', '=', chain)
        .where('number', '>', number)
        .where('action', '=', 'client.erased')
        .where('subject', 'in', clients)
        .select('subject')
        .execute();
      return new Set(rows.map(({ subject }) => subject));
    },

    firstEntries: async (chain, max) => {
      const rows = await db
        .selectFrom('activity_entries')
        .where('chain', '=', chain)
        .selectAll()
        .orderBy('number')
        .limit(max)
        .execute();
      return rows.map(toStored);
    },

    continuedAfter: async (chain, number, partsOf) => {
      const rows = await db
        .selectFrom('activity_entries')
        // Named, because the index begins with it.
        .where('account_id', '=', (inner) =>
          inner.selectFrom('activity_entries').where('chain', '=', chain).select('account_id').limit(1),
        )
        .where('part_of', 'in', partsOf)
        .where('chain', '=', chain)
        .where('number', '>', number)
        .select('part_of')
        .distinct()
        .execute();
      return new Set(rows.flatMap(({ part_of }) => part_of ?? []));
    },

    cut: async (cut) => {
      await db
        .insertInto('activity_cuts')
        .values(cut)
        .onConflict((conflict) => conflict.column('chain').doUpdateSet(cut))
        .execute();
      await db.deleteFrom('activity_entries').where('chain', '=', cut.chain).where('number', '<=', cut.count).execute();
    },

    replace: async ({ chain, signed, kid }) => {
      await db.updateTable('activity_cuts').set({ signed, kid }).where('chain', '=', chain).execute();
    },
  };
}
