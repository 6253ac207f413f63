export { FORMATS, type Format } from './read-clients.ts';
export { readImport } from './read-import.ts';
export { activityHeader, activityLine } from './write-activity.ts';
