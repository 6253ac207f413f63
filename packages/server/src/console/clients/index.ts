export { clientRoutes } from './clients.ts';
export { exportClientsRoute } from './export-clients.ts';
export { groupRoutes } from './groups.ts';
export { importRoutes } from './imports.ts';
export { overviewRoutes } from './overview.ts';
export { reviewRoutes } from './review.ts';
export { samplesRoute } from './samples.ts';
