import { List, Text } from '@mantine/core';
import {
  type CellReading,
  type Fields,
  type FilePreview,
  type FilledColumns,
  parseRow,
  type REQUIRED_COLUMNS,
  toSourceRow,
} from '#contract/clients/files.ts';
import type { ImportRecord } from '#contract/clients/imports.ts';
import { Notice } from '../components/notice.tsx';
import { countText } from '../count-text.ts';
import { quoted } from '../imported-from.ts';
import { browserTimeZone } from './browser-time-zone.ts';
import { COLUMN_LABELS } from './column-labels.ts';
import { addsElsewhere, changesEmails, changesStatus, movesClients, repeatsClients } from './import-check.ts';
import { type CountedReason, ReasonList } from './reason-list.tsx';
import { wrongColumns } from './reason-text.ts';

// What should be known about a file before it is sent.

/** A wrong guess would exchange day and month without a word. */
export function OpenDates({ column }: { column: string }) {
  return (
    <Notice tone="warning" title="Day or month first?">
      Choose how the dates of {column} are written. They do not say which of the two comes first.
    </Notice>
  );
}

/** Whether no form of dates reads both: one has the day first, and the other one the month. */
export function areInConflict(examples: readonly string[] | undefined): boolean {
  return examples !== undefined && !BEGINS_WITH_YEAR.test(examples[0] ?? '');
}

const BEGINS_WITH_YEAR = /^\d{4}-/;

/** Whoever looks at the first dates of a column thinks that the others are like them. */
export function MixedDates({ column, examples }: { column: string; examples: readonly string[] }) {
  const [one, other] = examples.map(quoted);
  return (
    <Notice tone="warning" title={`The dates of ${column} are written in different ways`}>
      {areInConflict(examples)
        ? `${one} has the day first, and ${other} the month. Whichever you choose, rows with the other are rejected, and dates that could be either are read as you choose. It is better to correct the file and choose it again.`
        : `${one} begins with the year and can mean only one day. Dates such as ${other} are read in the form that is chosen above.`}
    </Notice>
  );
}

type RequiredColumn = (typeof REQUIRED_COLUMNS)[number];

/** Every client has its own, so they cannot be given once for all rows. */
const OWN_COLUMNS: readonly RequiredColumn[] = ['email', 'client_name'];

export function MissingColumns({ missing }: { missing: readonly RequiredColumn[] }) {
  const own = missing.filter((each) => OWN_COLUMNS.includes(each));
  const common = missing.filter((each) => !OWN_COLUMNS.includes(each));
  return (
    <Notice tone="warning" title="Something is missing that every client needs">
      {common.length > 0 && (
        <div>Choose which column of the file is the {namesOf(common)}, or choose one for all rows.</div>
      )}
      {own.length > 0 && (
        <div>
          Choose which column of the file is the {namesOf(own)}. If there is no such column, add it to the file and
          choose the file again.
        </div>
      )}
    </Notice>
  );
}

function namesOf(columns: readonly RequiredColumn[]): string {
  return new Intl.ListFormat('en').format(columns.map((column) => COLUMN_LABELS[column].toLowerCase()));
}

/** More names would not be read. */
const LEFT_OUT_SHOWN = 10;

/** A column that was not recognised must not disappear without a word. */
export function LeftOutColumns({ columns, fields }: { columns: readonly string[]; fields: Fields }) {
  const names = columns.flatMap((column, index) => (fields[index] ? [] : [column || `column ${index + 1}`]));
  if (names.length === 0) return null;
  const more = names.length - LEFT_OUT_SHOWN;
  const shown = more > 0 ? [...names.slice(0, LEFT_OUT_SHOWN), `${more} more`] : names;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {countText(names.length, 'column is', 'columns are')} left out: {new Intl.ListFormat('en').format(shown)}.
    </Text>
  );
}

export function ZoneOfDates() {
  return (
    <Text size="sm" c="dimmed">
      Dates and times are read in the time zone of your browser, {browserTimeZone()}, unless they name their own.
    </Text>
  );
}

/** What a member can do about the changes that a check has found, in the order in which its result tells them. */
export function WhatToDo({ check, keepsStatus }: { check: ImportRecord; keepsStatus: boolean }) {
  const advice = [
    changesStatus(check) &&
      !keepsStatus &&
      'To leave statuses as they are, choose “Keep the status that clients have now”.',
    movesClients(check) && 'To leave clients in their groups, correct the groups in the file.',
    changesEmails(check) && 'If two people have the same ID, give each their own in the file.',
    addsElsewhere(check) &&
      'If these people are in Rollcall already, correct their groups, so that they are not added again.',
    repeatsClients(check) && 'To let an earlier row count, take the later one out of the file.',
  ].filter((each) => each !== false);
  return (
    <div>
      <List size="sm">
        {advice.map((each) => (
          <List.Item key={each}>{each}</List.Item>
        ))}
      </List>
      <Text size="sm" mt={6}>
        If you change the file, choose it again. If it is right, import it as it is.
      </Text>
    </div>
  );
}

interface RejectedPreviewProps {
  preview: FilePreview;
  fields: Fields;
  filled: FilledColumns;
  reading: CellReading;
}

/** What is wrong with the first rows, so that a wrong choice is seen before anything is sent. */
export function RejectedPreview({ preview, fields, filled, reading }: RejectedPreviewProps) {
  const problems = preview.rows.flatMap((row) => {
    const parsed = parseRow(toSourceRow(row, fields, filled), reading);
    return typeof parsed === 'string' ? [{ line: row.line, reason: parsed }] : [];
  });
  if (problems.length === 0) return null;
  const rows = preview.rows.length;
  return (
    <Notice
      tone="warning"
      title={
        rows === 1
          ? 'The first row would be rejected'
          : `Of the first ${rows} rows, ${problems.length} would be rejected`
      }
    >
      <ReasonList reasons={countedReasons(problems)} />
      {problems.some(({ reason }) => wrongColumns(reason).includes('reference_id')) && (
        <Text size="sm" mt={6}>
          A reference ID is given by Rollcall. If the column has your own numbers of clients, choose External ID for it.
        </Text>
      )}
      <Text size="sm" mt={6}>
        Rejected rows can be corrected after the import.
      </Text>
    </Notice>
  );
}

/** What is wrong with later rows is known only when the service has read all of them. */
export function OnlyFirstRows({ preview: { rows, total } }: { preview: FilePreview }) {
  if (rows.length === total) return null;
  return (
    <Text size="sm" c="dimmed">
      So far, only the first {rows.length} rows were tried. “Check only” tries all {total.toLocaleString()}, lists what
      is wrong with them, and changes nothing.
    </Text>
  );
}

function countedReasons(problems: readonly { line: number; reason: string }[]): CountedReason[] {
  return [...Map.groupBy(problems, ({ reason }) => reason)].map(([reason, rows]) => ({
    reason,
    rows: rows.length,
    lines: rows.map(({ line }) => line),
  }));
}
