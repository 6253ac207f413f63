import type { Selectable } from 'kysely';
import type { SavedView, SavedViews, ViewChanges } from '../../domain/clients/saved-view.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import type { Tables } from '../tables.ts';
import type { AccountUnitOfWork } from '../unit-of-work.ts';

export function openSavedViews(engine: Engine): SavedViews {
  return { list: (workspaceId, memberId) => readViews(engine.reads, workspaceId, memberId) };
}

export function viewChangesIn(work: AccountUnitOfWork): ViewChanges {
  const { db } = work;
  return {
    list: (workspaceId, memberId) => readViews(db, workspaceId, memberId),

    add: async (workspaceId, view) => {
      work.markChanged();
      await db
        .insertInto('saved_views')
        .values({ workspace_id: workspaceId, id: view.id, created_at: view.createdAt, ...columnsOf(view) })
        .execute();
    },

    replace: async (workspaceId, view) => {
      work.markChanged();
      await db
        .updateTable('saved_views')
        .set(columnsOf(view))
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', view.id)
        .execute();
    },

    remove: async (workspaceId, viewId) => {
      work.markChanged();
      await db.deleteFrom('saved_views').where('workspace_id', '=', workspaceId).where('id', '=', viewId).execute();
    },
  };
}

async function readViews(db: ReadOnlyDatabase, workspaceId: number, memberId: number): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('saved_views')
    .where('workspace_id', '=', workspaceId)
    .where((view) => view.or([view('member_id', '=', memberId), view('member_id', 'is', null)]))
    .selectAll()
    .execute();
  const byName = new Intl.Collator('en', { numeric: true });
  return rows.map(toView).sort((a, b) => byName.compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
}

function columnsOf({ name, filters, memberId }: SavedView) {
  return { name, filters: JSON.stringify(filters), member_id: memberId };
}

function toView(row: Selectable<Tables['saved_views']>): SavedView {
  return {
    id: row.id,
    name: row.name,
    filters: JSON.parse(row.filters),
    memberId: row.member_id,
    createdAt: row.created_at,
  };
}
