import { readFileSync } from 'node:fs';

const ROOT = new URL('../', import.meta.url);
const NAME = /\b(?:rollcall|process)_[a-z_]*[a-z]\b/g;
const ALERT = /\bRollcall[A-Z][A-Za-z]+\b/g;

export function fileText(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** The names of metrics in a dashboard, in rules or in a page. */
export function metricNamesIn(text: string): Set<string> {
  return new Set(text.match(NAME));
}

export function alertNamesIn(text: string): Set<string> {
  return new Set(text.match(ALERT));
}
