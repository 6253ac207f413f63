export { FORMATS, type Format } from './read-clients.ts';
export { readImport } from './read-import.ts';
export { activityHeader, activityLine, shownActivity } from './write-activity.ts';
