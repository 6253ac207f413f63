export { clientRoutes } from './clients.ts';
export { exportClientsRoute } from './export-clients.ts';
export { groupRoutes } from './groups.ts';
export { importClientsRoute } from './import-clients.ts';
export { overviewRoutes } from './overview.ts';
