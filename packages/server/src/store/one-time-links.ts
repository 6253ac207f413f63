import type { Selectable } from 'kysely';
import type { Role } from '../domain/member.ts';
import type { OneTimeLink, OneTimeLinks } from '../domain/one-time-link.ts';
import type { Engine } from './engines/engine.ts';
import type { Tables } from './tables.ts';

export function openOneTimeLinks(engine: Engine): OneTimeLinks {
  return {
    add: (link, hash) =>
      engine.write(async (db) => {
        await db
          .insertInto('one_time_links')
          .values({
            hash,
            id: link.id,
            purpose: link.purpose,
            account_id: link.accountId,
            email: link.email,
            role: link.role,
            created_by: link.createdBy,
            created_at: link.createdAt,
            expires_at: link.expiresAt,
          })
          .execute();
      }),

    find: async (hash, now) => {
      const row = await engine.reads
        .selectFrom('one_time_links')
        .where('hash', '=', hash)
        .where('expires_at', '>', now)
        .selectAll()
        .executeTakeFirst();
      return row && toLink(row);
    },

    take: (hash, now) =>
      engine.write(async (db) => {
        const row = await db
          .deleteFrom('one_time_links')
          .where('hash', '=', hash)
          .where('expires_at', '>', now)
          .returningAll()
          .executeTakeFirst();
        return row && toLink(row);
      }),

    invitations: async (accountId, now) => {
      const rows = await engine.reads
        .selectFrom('one_time_links')
        .where('account_id', '=', accountId)
        .where('purpose', '=', 'invitation')
        .where('expires_at', '>', now)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(toLink);
    },

    withdraw: (accountId, linkId) =>
      engine.write(async (db) => {
        const row = await db
          .deleteFrom('one_time_links')
          .where('account_id', '=', accountId)
          .where('id', '=', linkId)
          .returningAll()
          .executeTakeFirst();
        return row && toLink(row);
      }),
  };
}

function toLink(row: Selectable<Tables['one_time_links']>): OneTimeLink {
  return {
    id: row.id,
    purpose: row.purpose as OneTimeLink['purpose'],
    accountId: row.account_id,
    email: row.email,
    role: row.role as Role | null,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
