import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ApiError, SIGNED_OUT } from './api.ts';
import { NotFoundPage } from './components/not-found.tsx';
import { rememberedEnvironment } from './environment.ts';
import { type Environment, sessionQuery } from './queries.ts';
import { queryClient } from './query-client.ts';
import { activitySearch, clientsSearch, groupsSearch, nextSearch } from './search.ts';

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/$environment/overview', params: { environment: rememberedEnvironment() } });
  },
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: nextSearch,
  component: lazyRouteComponent(() => import('./members/sign-in-page.tsx'), 'SignInPage'),
});

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  component: lazyRouteComponent(() => import('./members/set-up-page.tsx'), 'SetUpPage'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./members/invitation-page.tsx'), 'InvitationPage'),
});

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset',
  component: lazyRouteComponent(() => import('./members/reset-page.tsx'), 'ResetPage'),
});

const environmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$environment',
  params: {
    parse: ({ environment }) => {
      if (environment !== 'production' && environment !== 'sandbox') throw notFound();
      return { environment: environment as Environment };
    },
    stringify: ({ environment }) => ({ environment }),
  },
  loader: ({ location }) => requireSession(location.href),
  component: lazyRouteComponent(() => import('./components/shell.tsx'), 'Shell'),
  errorComponent: lazyRouteComponent(() => import('./components/broken.tsx'), 'Broken'),
  pendingComponent: () => null,
});

/** Who is not signed in is led to the sign-in, and back here afterwards, before anything is drawn. */
async function requireSession(next: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (error instanceof ApiError && error.status === SIGNED_OUT) throw redirect({ to: '/sign-in', search: { next } });
    throw error;
  }
}

const under = { getParentRoute: () => environmentRoute };

const environmentHomeRoute = createRoute({
  ...under,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$environment/overview', params });
  },
});

const overviewRoute = createRoute({
  ...under,
  path: '/overview',
  component: lazyRouteComponent(() => import('./clients/overview-page.tsx'), 'OverviewPage'),
});

const clientsRoute = createRoute({
  ...under,
  path: '/clients',
  validateSearch: clientsSearch,
  component: lazyRouteComponent(() => import('./clients/clients-page.tsx'), 'ClientsPage'),
});

const clientRoute = createRoute({
  ...under,
  path: '/clients/$referenceId',
  component: lazyRouteComponent(() => import('./clients/client-page.tsx'), 'ClientPage'),
});

const importRoute = createRoute({
  ...under,
  path: '/import',
  component: lazyRouteComponent(() => import('./clients/import-page.tsx'), 'ImportPage'),
});

const groupsRoute = createRoute({
  ...under,
  path: '/groups',
  validateSearch: groupsSearch,
  component: lazyRouteComponent(() => import('./clients/groups-page.tsx'), 'GroupsPage'),
});

const keysRoute = createRoute({
  ...under,
  path: '/settings/api-credentials',
  component: lazyRouteComponent(() => import('./credentials/api-credentials-page.tsx'), 'ApiCredentialsPage'),
});

const membersRoute = createRoute({
  ...under,
  path: '/settings/members',
  component: lazyRouteComponent(() => import('./members/members-page.tsx'), 'MembersPage'),
});

const profileRoute = createRoute({
  ...under,
  path: '/settings/profile',
  component: lazyRouteComponent(() => import('./members/profile-page.tsx'), 'ProfilePage'),
});

const activityRoute = createRoute({
  ...under,
  path: '/settings/activity',
  validateSearch: activitySearch,
  component: lazyRouteComponent(() => import('./members/activity-page.tsx'), 'ActivityPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    homeRoute,
    signInRoute,
    setUpRoute,
    invitationRoute,
    resetRoute,
    environmentRoute.addChildren([
      environmentHomeRoute,
      overviewRoute,
      clientsRoute,
      clientRoute,
      importRoute,
      groupsRoute,
      keysRoute,
      membersRoute,
      profileRoute,
      activityRoute,
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
