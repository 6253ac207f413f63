import { changeView, type ManageViewsDeps, removeView, saveView } from '../../domain/clients/manage-views.ts';
import type { SavedView, SavedViews } from '../../domain/clients/saved-view.ts';
import { ChangeViewForm, ViewForm, ViewList, ViewRecord } from '../contract/clients/views.ts';
import { NoData } from '../contract/fields.ts';
import { type ConsoleRoute, workspaceRoute } from '../define-route.ts';

const PATH = '/console/:environment/views';

/** Every member may save views of their own, because they only say what a member wants to see. */
export const viewRoutes = (deps: ManageViewsDeps & { views: SavedViews }): ConsoleRoute[] => [
  workspaceRoute({
    methods: ['GET'],
    path: PATH,
    role: 'viewer',
    data: ViewList,
    handle: async ({ actor, workspaceId }) => ({
      views: (await deps.views.list(workspaceId, actor.memberId)).map(toRecord),
    }),
  }),

  workspaceRoute({
    methods: ['POST'],
    path: PATH,
    role: 'viewer',
    body: ViewForm,
    data: ViewRecord,
    handle: async ({ body: { name, filters, is_shared: isShared }, ...place }) =>
      toRecord(await saveView(deps, place, { name, filters, isShared })),
  }),

  workspaceRoute({
    methods: ['PATCH'],
    path: `${PATH}/:viewId`,
    role: 'viewer',
    body: ChangeViewForm,
    data: ViewRecord,
    handle: async ({ body: { name, filters, is_shared: isShared }, parameter, ...place }) =>
      toRecord(await changeView(deps, place, parameter('viewId'), { name, filters, isShared })),
  }),

  workspaceRoute({
    methods: ['DELETE'],
    path: `${PATH}/:viewId`,
    role: 'viewer',
    data: NoData,
    handle: async ({ parameter, ...place }) => {
      await removeView(deps, place, parameter('viewId'));
      return null;
    },
  }),
];

function toRecord({ id, name, filters, memberId }: SavedView): ViewRecord {
  return { view_id: id, name, filters, is_shared: memberId === null };
}
