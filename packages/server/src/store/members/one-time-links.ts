import type { ExpressionBuilder, Selectable } from 'kysely';
import type { InvitationChanges } from '../../domain/members/manage-members.ts';
import type { Role } from '../../domain/members/member.ts';
import type { LinkChanges, OneTimeLink, OneTimeLinks } from '../../domain/members/one-time-link.ts';
import { fold } from '../../domain/text.ts';
import type { Engine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { AccountUnitOfWork, KeepBooks, UnitOfWork } from '../unit-of-work.ts';

export function openOneTimeLinks(engine: Engine, keepBooks: KeepBooks): OneTimeLinks {
  return {
    find: async (hash, now) => {
      const row = await engine.reads
        .selectFrom('one_time_links')
        .where(hasHash(hash))
        .where('expires_at', '>', now)
        .selectAll()
        .executeTakeFirst();
      return row && toLink(row);
    },

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

    mail: (accountId, linkId, hash, now) =>
      keepBooks(async (db) => {
        const row = await db
          .updateTable('one_time_links')
          .set({ mailed_hash: hash })
          .where('account_id', '=', accountId)
          .where('id', '=', linkId)
          .where('expires_at', '>', now)
          .returningAll()
          .executeTakeFirst();
        return row && toLink(row);
      }),

    removeExpired: (now) =>
      keepBooks(async (db) => {
        await db.deleteFrom('one_time_links').where('expires_at', '<=', now).execute();
      }),
  };
}

export function linkChangesIn({ db }: UnitOfWork): LinkChanges {
  return {
    add: async (link, hash) => {
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
          mailed_hash: null,
        })
        .execute();
    },

    take: async (hash, now) => {
      const row = await db
        .deleteFrom('one_time_links')
        .where(hasHash(hash))
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst();
      return row && toLink(row);
    },
  };
}

export function invitationChangesIn(work: AccountUnitOfWork): InvitationChanges {
  const { db, accountId } = work;
  const { add, take } = linkChangesIn(work);
  // Reset links store the email exactly as the member has it.
  const endLinks = async (email: string, purposes: OneTimeLink['purpose'][]) => {
    work.markChanged();
    await db
      .deleteFrom('one_time_links')
      .where('account_id', '=', accountId)
      .where('purpose', 'in', purposes)
      .where('email', '=', email)
      .execute();
  };
  return {
    add: (link, hash) => {
      work.markChanged();
      return add(link, hash);
    },

    take: (hash, now) => {
      work.markChanged();
      return take(hash, now);
    },

    findInvitation: async (linkId) => {
      const row = await db
        .selectFrom('one_time_links')
        .where('account_id', '=', accountId)
        .where('purpose', '=', 'invitation')
        .where('id', '=', linkId)
        .selectAll()
        .executeTakeFirst();
      return row && toLink(row);
    },

    endInvitationsBy: async (email, roles) => {
      if (roles.length === 0) return;
      work.markChanged();
      await db
        .deleteFrom('one_time_links')
        .where('account_id', '=', accountId)
        .where('created_by', '=', email)
        .where('role', 'in', roles)
        .execute();
    },

    // Invitations store the email as it was entered, and an account has few of them, so they are compared here.
    endInvitationsOf: async (emailFolded) => {
      const links = await db
        .selectFrom('one_time_links')
        .where('account_id', '=', accountId)
        .where('purpose', '=', 'invitation')
        .select(['hash', 'email', 'role'])
        .execute();
      const ended = links.filter(({ email }) => fold(email ?? '') === emailFolded);
      if (ended.length === 0) return [];
      const hashes = ended.map(({ hash }) => hash);
      work.markChanged();
      await db.deleteFrom('one_time_links').where('account_id', '=', accountId).where('hash', 'in', hashes).execute();
      return ended.map(({ role }) => role as Role);
    },

    endResetsOf: (email) => endLinks(email, ['reset', 'forgotten']),

    endForgottenOf: (email) => endLinks(email, ['forgotten']),

    remove: async (linkId) => {
      work.markChanged();
      await db.deleteFrom('one_time_links').where('account_id', '=', accountId).where('id', '=', linkId).execute();
    },
  };
}

/** A link has a second token if it was also mailed. */
const hasHash = (hash: string) => (builder: ExpressionBuilder<Tables, 'one_time_links'>) =>
  builder.or([builder('hash', '=', hash), builder('mailed_hash', '=', hash)]);

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
