import { sql } from 'kysely';
import type { KeyListingStore, Listing } from '../../domain/credentials/key-listings.ts';
import type { ListingKind } from '../../domain/credentials/listing-kinds.ts';
import type { Engine } from '../engines/engine.ts';
import type { KeepBooks } from '../unit-of-work.ts';

export function openKeyListings(engine: Engine, keepBooks: KeepBooks): KeyListingStore {
  return {
    add: (listings) =>
      keepBooks(async (db) => {
        if (listings.length === 0) return;
        await db
          .insertInto('key_listings')
          .values(listings.toSorted(byPlace).map(toRow))
          .onConflict((conflict) =>
            conflict.columns(['workspace_id', 'key_id', 'day', 'kind', 'filter']).doUpdateSet({
              calls: sql`key_listings.calls + excluded.calls`,
              last_at: sql`case when excluded.last_at > key_listings.last_at then excluded.last_at else key_listings.last_at end`,
            }),
          )
          .execute();
      }),

    groupNames: async (workspaceId, folded) => {
      const groups = engine.reads.selectFrom('groups').where('workspace_id', '=', workspaceId);
      const rows = await groups.where('name_folded', 'in', folded).select(['name', 'name_folded']).execute();
      return new Map(rows.map((row) => [row.name_folded, row.name]));
    },

    ofKey: async (workspaceId, keyId, { fromDay = 0, limit }) => {
      let listings = engine.reads
        .selectFrom('key_listings')
        .where('workspace_id', '=', workspaceId)
        .where('key_id', '=', keyId)
        .where('day', '>=', fromDay)
        .selectAll()
        .orderBy('day', 'desc')
        // The widest comes first.
        .orderBy(sql`case when filter = '' then 0 else 1 end`)
        .orderBy('calls', 'desc')
        .orderBy('kind')
        .orderBy('filter');
      if (limit !== undefined) listings = listings.limit(limit);
      return (await listings.execute()).map(({ kind, filter, day, calls, last_at }) => {
        return { workspaceId, keyId, day, kind: kind as ListingKind, filter, calls, lastAt: last_at };
      });
    },

    removeFirstDayBefore: (day) =>
      keepBooks(async (db) => {
        const { first } = await db
          .selectFrom('key_listings')
          .select(({ fn }) => fn.min('day').as('first'))
          .executeTakeFirstOrThrow();
        if (first === null || first >= day) return false;
        await db.deleteFrom('key_listings').where('day', '=', first).execute();
        return true;
      }),
  };
}

function toRow({ workspaceId, keyId, day, kind, filter, calls, lastAt }: Listing) {
  return { workspace_id: workspaceId, key_id: keyId, day, kind, filter, calls, last_at: lastAt };
}

/** In the same order on every node, because two nodes that count the same keys could deadlock otherwise. */
function byPlace(one: Listing, other: Listing): number {
  return one.workspaceId - other.workspaceId || compare(placeOf(one), placeOf(other));
}

function placeOf({ keyId, day, kind, filter }: Listing): string {
  return `${keyId} ${day} ${kind} ${filter}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
