import { randomBytes } from 'node:crypto';
import type { Action, ActivityLog } from '../domain/activity.ts';
import type { Environment } from '../domain/environment.ts';
import type { Engine } from './engines/engine.ts';

export function openActivity(engine: Engine): ActivityLog {
  return {
    record: (accountId, entry) =>
      engine.write(async (db) => {
        await db
          .insertInto('activity')
          .values({ account_id: accountId, id: randomBytes(9).toString('base64url'), ...entry })
          .execute();
      }),

    read: (accountId, { kind, member }, { offset, limit }) =>
      engine.snapshot(async (db) => {
        let matching = db.selectFrom('activity').where('account_id', '=', accountId);
        if (kind !== undefined) matching = matching.where('action', 'like', `${kind}.%`);
        if (member !== undefined) matching = matching.where('member', '=', member);
        const { total } = await matching
          .select(({ fn }) => fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow();
        const rows = await matching
          .select(['at', 'member', 'action', 'subject', 'environment', 'address'])
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute();
        const entries = rows.map((row) => ({
          ...row,
          action: row.action as Action,
          environment: row.environment as Environment | null,
        }));
        return { totalCount: total, entries };
      }),
  };
}
