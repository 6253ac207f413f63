export { accountRoutes } from './account.ts';
export { activityRoutes } from './activity.ts';
export { type Cookies, openCookies } from './cookie.ts';
export { memberRoutes } from './members.ts';
export { passkeyRoutes } from './passkeys.ts';
export { profileRoutes } from './profile.ts';
export { providerRoutes } from './provider.ts';
export { resetRoutes } from './reset.ts';
export { sessionRoutes } from './session.ts';
