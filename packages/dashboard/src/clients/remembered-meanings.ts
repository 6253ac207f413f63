import { findWord, isWordColumn } from '#contract/clients/files.ts';
import type { Meanings } from './unknown-values.ts';

/** More than the files of a firm have. */
const MEANINGS_KEPT = 200;

/** What was chosen for values of earlier files of this account in this browser, so that it need not be chosen for each file again. */
export function rememberedMeanings(accountId: number): Meanings {
  return readMeanings(localStorage.getItem(keyOf(accountId)));
}

export function rememberMeanings(accountId: number, chosen: Meanings): void {
  const all = Object.entries({ ...rememberedMeanings(accountId), ...chosen }).filter(([, word]) => word !== '');
  localStorage.setItem(keyOf(accountId), JSON.stringify(Object.fromEntries(all.slice(-MEANINGS_KEPT))));
}

/** Without what an earlier version of the page may have stored and this one does not understand. */
export function readMeanings(stored: string | null): Meanings {
  try {
    const entries = Object.entries(JSON.parse(stored ?? '{}') as Record<string, unknown>);
    return Object.fromEntries(entries.filter(isMeaning));
  } catch {
    // This page has not stored it.
    return {};
  }
}

function isMeaning(entry: [string, unknown]): entry is [string, string] {
  const [fieldAndValue, word] = entry;
  const [field] = fieldAndValue.split(':', 1);
  return isWordColumn(field) && typeof word === 'string' && findWord(field, word) === word;
}

function keyOf(accountId: number): string {
  return `rollcall-meanings-${accountId}`;
}
