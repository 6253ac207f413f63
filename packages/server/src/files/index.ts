export { readImport } from './read-import.ts';
