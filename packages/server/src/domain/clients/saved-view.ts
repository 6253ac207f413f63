import { Failure } from '../failure.ts';
import { fold, requireName } from '../text.ts';
import type { ClientStatus, ClientType } from './client.ts';
import type { ListOrder } from './list-orders.ts';
import type { RequestStatus } from './request-status.ts';

export const VIEW_NAME_MAX_LENGTH = 60;

/** How many views a member may have in a workspace, and how many may be shared. */
export const VIEWS_MAX = 100;

/** As JSON. The form accepts no filters that are longer, so reading all views of a member takes little memory. */
export const FILTERS_MAX_LENGTH = 4096;

/** What the clients page shows in a view. Days are calendar days of the reader, so that a view means the same days to everybody. */
export interface ViewFilters {
  search?: string;
  statuses?: RequestStatus[];
  type?: ClientType;
  active?: ClientStatus;
  /** Their tokens, which stay the same when groups are renamed. */
  groups?: string[];
  from?: string;
  /** The day after the last one. */
  until?: string;
  /** Instead of these two: this many days, of which today is the last. */
  days?: number;
  order?: ListOrder;
}

/** A named set of filters, of one member or shared by all. */
export interface SavedView {
  id: string;
  name: string;
  filters: ViewFilters;
  /** Null if the view is shared. */
  memberId: number | null;
  createdAt: number;
}

export interface SavedViews {
  /** Those of the member and the shared ones, by name. */
  list(workspaceId: number, memberId: number): Promise<SavedView[]>;
  /** The names, by id, of these views of the account; null for those of other members, which the member does not see. */
  namesOf(accountId: number, memberId: number, viewIds: readonly string[]): Promise<Map<string, string | null>>;
}

export interface ViewChanges {
  /** Those of the member and the shared ones, by name. */
  list(workspaceId: number, memberId: number): Promise<SavedView[]>;
  add(workspaceId: number, view: SavedView): Promise<void>;
  /** Returns false if there is no such view any more: erasing a client removes views, and does not wait for others. */
  replace(workspaceId: number, view: SavedView): Promise<boolean>;
  remove(workspaceId: number, viewId: string): Promise<void>;
}

export function requireViewName(name: string): string {
  return requireName(name, { maxLength: VIEW_NAME_MAX_LENGTH });
}

/** The filters as they are kept: every value once. */
export function requireFilters(filters: ViewFilters): ViewFilters {
  const { statuses, groups } = filters;
  const kept: ViewFilters = {
    ...filters,
    ...(statuses && { statuses: [...new Set(statuses)] }),
    ...(groups && { groups: [...new Set(groups)] }),
  };
  if (JSON.stringify(kept).length <= FILTERS_MAX_LENGTH) return kept;
  throw new Failure('bad_parameter', `filters must have at most ${FILTERS_MAX_LENGTH} characters in all.`);
}

/** Two views with the same name would look like one. */
export function requireNewName(views: readonly SavedView[], { id, name }: Pick<SavedView, 'id' | 'name'>): void {
  const other = views.find((view) => view.id !== id && fold(view.name) === fold(name));
  if (!other) return;
  const whose = other.memberId === null ? 'a shared view' : 'one of your views';
  throw new Failure('conflict', `name is taken: ${whose} is called ${other.name} already.`);
}
