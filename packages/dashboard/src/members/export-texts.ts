import { sinceText, untilText } from '../components/time.tsx';
import { labelOf } from '../labels.ts';

/** A time as the record has it. Names of groups and files, which are in it too, may look similar. */
const TIME = '(\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z)(?=;|$)';
const SINCE = new RegExp(`(^|; )created from: ${TIME}`);
const UNTIL = new RegExp(`(^|; )created before: ${TIME}`);
const SELECTED = /(^|; )references: \d+(?=;|$)/;

/** The subject of an entry about exported clients, with its times as people read them: `clients as CSV; added since Jan 1, 2026`. */
export function clientsExportText(subject: string): string {
  if (!subject.startsWith('clients as ')) return subject;
  return subject
    .replace(SINCE, inWords(sinceText))
    .replace(UNTIL, inWords(untilText))
    .replace(SELECTED, '$1selected one by one');
}

function inWords(textOf: (time: string) => string) {
  return (all: string, before: string, time: string) =>
    Number.isNaN(Date.parse(time)) ? all : `${before}added ${textOf(time)}`;
}

/**
 * In which format and by which filters the activity log was exported, as parts of a sentence. The record is
 * `as CSV, kind client, member, text, times from …`. Older ones have the filters alone, which only CSV can have.
 */
export function logExportText(subject: string, kinds: Record<string, string>): string {
  const parts = subject.split(', ');
  const [format = ''] = parts;
  return (FORMAT.test(format) ? parts : ['as CSV', ...parts]).map((part) => partText(part, kinds)).join(', ');
}

/** Whether it was a part of the log. */
export function isFilteredExport(subject: string): boolean {
  return subject !== '' && !FORMAT.test(subject);
}

const FORMAT = /^as [A-Z]+$/;

function partText(part: string, kinds: Record<string, string>): string {
  const [, name = '', value = ''] = /^(kind|times from|times before) (.+)$/.exec(part) ?? [];
  if (name === 'kind') return `of the kind “${labelOf(kinds, value)}”`;
  if (name === 'times from') return sinceText(value);
  if (name === 'times before') return untilText(value);
  if (FORMAT.test(part)) return part;
  return part === 'member' ? 'of one member' : 'with a text that was searched for';
}
