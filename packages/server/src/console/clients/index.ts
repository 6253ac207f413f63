export { clientRoutes } from './clients.ts';
export { exportClientsRoute } from './export-clients.ts';
export { groupRoutes } from './groups.ts';
export { importPreviewRoute } from './import-preview.ts';
export { importRoutes } from './imports.ts';
export { overviewRoutes } from './overview.ts';
export { rejectedRowsRoutes } from './rejected-rows.ts';
export { samplesRoute } from './samples.ts';
