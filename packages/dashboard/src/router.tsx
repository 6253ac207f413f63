import { createRootRoute, createRoute, createRouter, notFound, Outlet, redirect } from '@tanstack/react-router';
import type { SessionRecord } from '#contract/members/index.ts';
import { ApiError, SIGNED_OUT } from './api.ts';
import {
  parseClientSearch,
  parseGroupsSearch,
  parseImportsSearch,
  parseReviewSearch,
  readClientsAddress,
} from './clients/index.ts';
import { ErrorPage, PageError } from './components/error-page.tsx';
import { NotFoundInEnvironment, NotFoundPage } from './components/not-found-page.tsx';
import { parseEnvironment, rememberedEnvironment } from './environment.ts';
import { environmentWithClients } from './environment-with-clients.ts';
import { lazyPage } from './lazy-page.ts';
import { parseActivitySearch, parseSignInSearch } from './members/index.ts';
import { queryClient } from './query-client.ts';
import { sessionQuery } from './session.ts';

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ location }) => {
    const { account_id: accountId } = await requireSession(location.href);
    const environment = rememberedEnvironment(accountId) ?? (await environmentWithClients());
    throw redirect({ to: '/$environment/overview', params: { environment } });
  },
  errorComponent: ErrorPage,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: parseSignInSearch,
  component: lazyPage(() => import('./members/sign-in-page.tsx'), 'SignInPage'),
});

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  component: lazyPage(() => import('./members/set-up-page.tsx'), 'SetUpPage'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyPage(() => import('./members/invitation-page.tsx'), 'InvitationPage'),
});

const forgottenPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgotten-password',
  component: lazyPage(() => import('./members/forgotten-password-page.tsx'), 'ForgottenPasswordPage'),
});

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset',
  component: lazyPage(() => import('./members/reset-page.tsx'), 'ResetPage'),
});

const environmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$environment',
  params: {
    parse: (params) => {
      const environment = parseEnvironment(params.environment);
      if (!environment) throw notFound();
      return { environment };
    },
    stringify: ({ environment }) => ({ environment }),
  },
  loader: ({ location }) => requireSession(location.href),
  component: lazyPage(() => import('./components/shell.tsx'), 'Shell'),
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundInEnvironment,
  pendingComponent: () => null,
});

/** Sends a visitor who is not signed in to the sign-in page, and back to this page afterwards. */
async function requireSession(next: string): Promise<SessionRecord> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (error instanceof ApiError && error.status === SIGNED_OUT) throw redirect({ to: '/sign-in', search: { next } });
    throw error;
  }
}

const inEnvironment = { getParentRoute: () => environmentRoute, errorComponent: PageError };

const environmentHomeRoute = createRoute({
  ...inEnvironment,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$environment/overview', params });
  },
});

const overviewRoute = createRoute({
  ...inEnvironment,
  path: '/overview',
  component: lazyPage(() => import('./clients/overview-page.tsx'), 'OverviewPage'),
});

const clientsRoute = createRoute({
  ...inEnvironment,
  path: '/clients',
  validateSearch: readClientsAddress,
  component: lazyPage(() => import('./clients/clients-page.tsx'), 'ClientsPage'),
});

const clientRoute = createRoute({
  ...inEnvironment,
  path: '/clients/$referenceId',
  // The list from which the client was opened.
  validateSearch: parseClientSearch,
  component: lazyPage(() => import('./clients/client-page.tsx'), 'ClientPage'),
});

const reviewRoute = createRoute({
  ...inEnvironment,
  path: '/review',
  validateSearch: parseReviewSearch,
  component: lazyPage(() => import('./clients/review-page.tsx'), 'ReviewPage'),
});

const importRoute = createRoute({
  ...inEnvironment,
  path: '/import',
  validateSearch: parseImportsSearch,
  component: lazyPage(() => import('./clients/import-page.tsx'), 'ImportPage'),
});

const importJobRoute = createRoute({
  ...inEnvironment,
  path: '/import/$importId',
  validateSearch: parseImportsSearch,
  component: lazyPage(() => import('./clients/import-job-page.tsx'), 'ImportJobPage'),
});

const groupsRoute = createRoute({
  ...inEnvironment,
  path: '/groups',
  validateSearch: parseGroupsSearch,
  component: lazyPage(() => import('./clients/groups-page.tsx'), 'GroupsPage'),
});

const keysRoute = createRoute({
  ...inEnvironment,
  path: '/settings/api-credentials',
  component: lazyPage(() => import('./credentials/api-credentials-page.tsx'), 'ApiCredentialsPage'),
});

const keyRoute = createRoute({
  ...inEnvironment,
  path: '/settings/api-credentials/$keyId',
  component: lazyPage(() => import('./credentials/key-page.tsx'), 'KeyPage'),
});

const membersRoute = createRoute({
  ...inEnvironment,
  path: '/settings/members',
  component: lazyPage(() => import('./members/members-page.tsx'), 'MembersPage'),
});

const profileRoute = createRoute({
  ...inEnvironment,
  path: '/settings/profile',
  component: lazyPage(() => import('./members/profile-page.tsx'), 'ProfilePage'),
});

const activityRoute = createRoute({
  ...inEnvironment,
  path: '/settings/activity',
  validateSearch: parseActivitySearch,
  component: lazyPage(() => import('./members/activity-page.tsx'), 'ActivityPage'),
});

const helpRoute = createRoute({
  ...inEnvironment,
  path: '/help',
  component: lazyPage(() => import('./help/help-page.tsx'), 'HelpPage'),
});

const guideRoute = createRoute({
  ...inEnvironment,
  path: '/help/$topic',
  component: lazyPage(() => import('./help/guide-page.tsx'), 'GuidePage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    homeRoute,
    signInRoute,
    setUpRoute,
    invitationRoute,
    forgottenPasswordRoute,
    resetRoute,
    environmentRoute.addChildren([
      environmentHomeRoute,
      overviewRoute,
      clientsRoute,
      clientRoute,
      reviewRoute,
      importRoute,
      importJobRoute,
      groupsRoute,
      keysRoute,
      keyRoute,
      membersRoute,
      profileRoute,
      activityRoute,
      helpRoute,
      guideRoute,
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
