export { clientCommand } from './client.ts';
export { exportCommand } from './export.ts';
export { groupCommand } from './group.ts';
export { importCommand } from './import.ts';
export { sampleCommand } from './sample.ts';
