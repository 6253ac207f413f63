import type { Environment } from '#contract/environments.ts';
import type { ColumnChoices, PreviewedFile } from './import-file.ts';

/** A file that was chosen and not imported yet is still there when the member comes back from another page. */
const kept = new Map<Environment, PreviewedFile>();

/** With what was said about its columns. */
const choices = new WeakMap<File, ColumnChoices>();

export function keptFile(environment: Environment): PreviewedFile | undefined {
  return kept.get(environment);
}

export function keepFile(environment: Environment, chosen: PreviewedFile | undefined): void {
  if (chosen) kept.set(environment, chosen);
  else kept.delete(environment);
}

/** It is being imported, perhaps after the member has left the page that sent it. */
export function forgetFile(environment: Environment, file: File): void {
  if (kept.get(environment)?.file === file) kept.delete(environment);
}

export function keptChoices(file: File): ColumnChoices | undefined {
  return choices.get(file);
}

export function keepChoices(file: File, chosen: ColumnChoices): void {
  choices.set(file, chosen);
}
