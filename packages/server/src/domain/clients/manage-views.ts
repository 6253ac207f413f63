import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ChangeAccount } from '../change.ts';
import type { Clock } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { type ActingMember, isAtLeast } from '../members/index.ts';
import {
  requireFilters,
  requireNewName,
  requireViewName,
  type SavedView,
  VIEWS_MAX,
  type ViewChanges,
} from './saved-view.ts';

export interface ManageViewsDeps {
  changeAccount: ChangeAccount<{ views: ViewChanges }>;
  clock: Clock;
}

/** Who saves a view, and where. */
export interface ViewPlace {
  actor: ActingMember;
  workspaceId: number;
  environment: Environment;
}

export type GivenView = Pick<SavedView, 'name' | 'filters'> & { isShared: boolean };

export async function saveView(deps: ManageViewsDeps, place: ViewPlace, given: GivenView): Promise<SavedView> {
  const { actor, workspaceId, environment } = place;
  const at = deps.clock.now();
  const view: SavedView = {
    id: randomUUID(),
    name: requireViewName(given.name),
    filters: requireFilters(given.filters),
    memberId: given.isShared ? null : actor.memberId,
    createdAt: at,
  };
  requireMayKeep(view, actor);
  return deps.changeAccount({ accountId: actor.accountId, actor, at }, async (change) => {
    requirePlace(await change.views.list(workspaceId, actor.memberId), view);
    await change.views.add(workspaceId, view);
    // Its name may be that of a client, and nothing can be erased from an entry.
    change.record('view.saved', view.id, environment);
    return view;
  });
}

export async function changeView(
  deps: ManageViewsDeps,
  place: ViewPlace,
  viewId: string,
  given: { [Field in keyof GivenView]?: GivenView[Field] | undefined },
): Promise<SavedView> {
  const { actor, workspaceId, environment } = place;
  const name = given.name === undefined ? undefined : requireViewName(given.name);
  const filters = given.filters && requireFilters(given.filters);
  return deps.changeAccount({ accountId: actor.accountId, actor, at: deps.clock.now() }, async (change) => {
    const views = await change.views.list(workspaceId, actor.memberId);
    const former = requireView(views, viewId);
    requireMayKeep(former, actor);
    const isShared = given.isShared ?? former.memberId === null;
    const view: SavedView = {
      ...former,
      name: name ?? former.name,
      filters: filters ?? former.filters,
      memberId: isShared ? null : actor.memberId,
    };
    requireMayKeep(view, actor);
    // Nothing is recorded: otherwise anybody could fill the activity log without changing anything.
    if (isDeepStrictEqual(view, former)) return former;
    requirePlace(views, view);
    if (!(await change.views.replace(workspaceId, view))) throw noView();
    change.record('view.changed', view.id, environment);
    return view;
  });
}

export async function removeView(deps: ManageViewsDeps, place: ViewPlace, viewId: string): Promise<void> {
  const { actor, workspaceId, environment } = place;
  await deps.changeAccount({ accountId: actor.accountId, actor, at: deps.clock.now() }, async (change) => {
    const view = requireView(await change.views.list(workspaceId, actor.memberId), viewId);
    requireMayKeep(view, actor);
    await change.views.remove(workspaceId, view.id);
    change.record('view.removed', view.id, environment);
  });
}

/** The views of other members are not among them, as if they did not exist. */
function requireView(views: readonly SavedView[], viewId: string): SavedView {
  const view = views.find(({ id }) => id === viewId);
  if (!view) throw noView();
  return view;
}

function noView(): Failure {
  return new Failure('not_found', 'There is no such view. It may have been deleted.');
}

/** What all members see is kept by those who may change clients, too. */
function requireMayKeep(view: SavedView, { role }: ActingMember): void {
  if (view.memberId !== null || isAtLeast(role, 'admin')) return;
  throw new Failure('forbidden', 'Only an admin or an owner may share a view, or change a shared one.');
}

function requirePlace(views: readonly SavedView[], view: SavedView): void {
  requireNewName(views, view);
  const others = views.filter(({ id, memberId }) => id !== view.id && memberId === view.memberId);
  if (others.length < VIEWS_MAX) return;
  const there = view.memberId === null ? 'There are' : 'You have';
  throw new Failure('conflict', `${there} ${VIEWS_MAX} views already. Delete one first.`);
}
