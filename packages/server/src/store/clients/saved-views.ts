import type { ExpressionBuilder, Selectable } from 'kysely';
import { isFoundBy, type KnownPerson, namesPerson } from '../../domain/clients/known-person.ts';
import type { SavedView, SavedViews, ViewChanges } from '../../domain/clients/saved-view.ts';
import { neededWords, wordsOf } from '../../domain/clients/words.ts';
import type { Engine, ReadOnlyDatabase } from '../engines/engine.ts';
import { keepMembers } from '../locks.ts';
import type { Tables } from '../tables.ts';
import type { AccountUnitOfWork } from '../unit-of-work.ts';
import type { ClientUnitOfWork } from './client-unit-of-work.ts';
import { SEARCH_BOUNDS, type SearchBounds } from './search-bounds.ts';
import { findsAnybody } from './word-candidates.ts';

/** Less than for somebody who searches, because the workspace is locked. Words that more clients have are not about one of them. */
const BOUNDS: SearchBounds = { ...SEARCH_BOUNDS, collected: SEARCH_BOUNDS.commonFrom };

export function openSavedViews(engine: Engine): SavedViews {
  return {
    list: (workspaceId, memberId) => readViews(engine.reads, workspaceId, memberId),

    namesOf: async (accountId, memberId, viewIds) => {
      if (viewIds.length === 0) return new Map();
      const rows = await engine.reads
        .selectFrom('saved_views')
        .innerJoin('workspaces', 'workspaces.id', 'saved_views.workspace_id')
        .where('workspaces.account_id', '=', accountId)
        .where('saved_views.id', 'in', engine.listOf(viewIds))
        .select(['saved_views.id', 'saved_views.name', 'saved_views.member_id'])
        .execute();
      return new Map(
        rows.map(({ id, name, member_id: owner }) => [id, [null, memberId].includes(owner) ? name : null]),
      );
    },
  };
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
      const { numUpdatedRows } = await db
        .updateTable('saved_views')
        .set(columnsOf(view))
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', view.id)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    remove: async (workspaceId, viewId) => {
      work.markChanged();
      await db.deleteFrom('saved_views').where('workspace_id', '=', workspaceId).where('id', '=', viewId).execute();
    },
  };
}

/**
 * Removes the views that name a person whose row was just deleted, or by which nobody else is found. What remains finds
 * others, so its words are not about this person alone. Returns the ids of those that were removed.
 */
export async function eraseViews(work: ClientUnitOfWork, person: KnownPerson): Promise<string[]> {
  const { engine, db, workspaceId } = work;
  const rows = await db.selectFrom('saved_views').where('workspace_id', '=', workspaceId).selectAll().execute();
  const about: SavedView[] = [];
  for (const view of rows.map(toView)) if (await isAbout(work, view, person)) about.push(view);
  if (about.length === 0) return [];
  // Otherwise a member who is removed at the same time might lock the same views in another order.
  await keepMembers(
    work,
    about.flatMap(({ memberId }) => memberId ?? []),
  );
  const ids = about.map(({ id }) => id);
  await db
    .deleteFrom('saved_views')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', engine.listOf(ids))
    .execute();
  return ids;
}

async function isAbout(
  { engine, db, workspaceId }: ClientUnitOfWork,
  { name, filters: { search = '' } }: SavedView,
  person: KnownPerson,
): Promise<boolean> {
  if (namesPerson(name, person) || namesPerson(search, person)) return true;
  const words = neededWords(wordsOf(search));
  if (!isFoundBy(words, person)) return false;
  return !(await findsAnybody({ db, engine, bounds: BOUNDS, workspaceId, words, signal: undefined }));
}

const isSeenBy = (memberId: number) => (view: ExpressionBuilder<Tables, 'saved_views'>) =>
  view.or([view('saved_views.member_id', '=', memberId), view('saved_views.member_id', 'is', null)]);

async function readViews(db: ReadOnlyDatabase, workspaceId: number, memberId: number): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('saved_views')
    .where('workspace_id', '=', workspaceId)
    .where(isSeenBy(memberId))
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
