import type { Selectable } from 'kysely';
import type { ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';

const ROWS_AT_ONCE = 2000;

/** All clients of a workspace in batches, in the order of their ids. */
export async function* readClients(
  db: ReadOnlyDatabase,
  workspaceId: number,
): AsyncGenerator<Selectable<Tables['clients']>[]> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('clients')
      .where('workspace_id', '=', workspaceId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .selectAll()
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}
