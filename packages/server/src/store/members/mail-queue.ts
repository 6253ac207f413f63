import type { Selectable } from 'kysely';
import type { Mail, MailChanges, MailQueue, MailSubject } from '../../domain/members/index.ts';
import { makeMailId } from '../../domain/members/mail.ts';
import type { Engine } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { AccountUnitOfWork, Books, KeepBooks } from '../unit-of-work.ts';

export function openMailQueue(engine: Engine, keepBooks: KeepBooks): MailQueue {
  return {
    add: (mail) => keepBooks((db) => insert(db, mail)),

    count: async () => {
      const { waiting } = await engine.reads
        .selectFrom('mails')
        .select(({ fn }) => fn.countAll<number>().as('waiting'))
        .executeTakeFirstOrThrow();
      return Number(waiting);
    },

    take: async (now, until) => {
      // Without a writing transaction as long as nothing is due, which is nearly always.
      for (let due = await findDue(engine, now); due; due = await findDue(engine, now)) {
        const taken = await keepBooks((db) => take(db, due as DueMail, until));
        if (taken) return taken;
      }
      return undefined;
    },

    postpone: (mail, until) =>
      keepBooks(async (db) => {
        await db
          .updateTable('mails')
          .set({ due_at: until })
          .where('id', '=', mail.id)
          .where('attempts', '=', mail.attempts)
          .execute();
      }),

    remove: (mail) =>
      keepBooks(async (db) => {
        await db.deleteFrom('mails').where('id', '=', mail.id).where('attempts', '=', mail.attempts).execute();
      }),

    removeOld: (createdBefore) =>
      keepBooks(async (db) => {
        await db.deleteFrom('mails').where('created_at', '<', createdBefore).execute();
      }),
  };
}

export function mailChangesIn({ db, accountId, at }: AccountUnitOfWork): MailChanges {
  return {
    add: (to, subject) => insert(db, { id: makeMailId(), accountId, to, subject, createdAt: at, attempts: 0 }),

    remove: async (mailId) => {
      const removed = await db.deleteFrom('mails').where('id', '=', mailId).returning('id').executeTakeFirst();
      return removed !== undefined;
    },
  };
}

type DueMail = Pick<Selectable<Tables['mails']>, 'id' | 'due_at'>;

function findDue(engine: Engine, now: number): Promise<DueMail | undefined> {
  return engine.reads
    .selectFrom('mails')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .select(['id', 'due_at'])
    .executeTakeFirst();
}

/** Returns `undefined` if another process has taken the mail since it was found. */
async function take(db: Books, due: DueMail, until: number): Promise<Mail | undefined> {
  const row = await db
    .updateTable('mails')
    .set(({ eb }) => ({ due_at: until, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', due.id)
    .where('due_at', '=', due.due_at)
    .returningAll()
    .executeTakeFirst();
  return row && toMail(row);
}

async function insert(db: Books, { id, accountId, to, subject, createdAt, attempts }: Mail): Promise<void> {
  const { kind, ...details } = subject;
  await db
    .insertInto('mails')
    .values({
      id,
      account_id: accountId,
      recipient: to,
      kind,
      details: JSON.stringify(details),
      created_at: createdAt,
      due_at: createdAt,
      attempts,
    })
    .execute();
}

function toMail(row: Selectable<Tables['mails']>): Mail {
  return {
    id: row.id,
    accountId: row.account_id,
    to: row.recipient,
    subject: { kind: row.kind, ...JSON.parse(row.details) } as MailSubject,
    createdAt: row.created_at,
    attempts: row.attempts,
  };
}
