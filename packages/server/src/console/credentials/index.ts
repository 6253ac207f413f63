export { keyRoutes } from './keys.ts';
export { recentCallsRoute } from './recent-calls.ts';
