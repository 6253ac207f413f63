export { escapeFormula } from './formula.ts';
export { readImport } from './read-import.ts';
export { csvLine } from './write-clients.ts';
