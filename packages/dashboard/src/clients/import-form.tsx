import { Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import {
  type DateForm,
  FILLABLE_COLUMNS,
  type Fields,
  type FilePreview,
  type FilledColumns,
  parseRow,
  REQUIRED_COLUMNS,
  suggestFields,
  toSourceRow,
} from '#contract/clients/files.ts';
import { Notice } from '../components/notice.tsx';
import { Section } from '../components/section.tsx';
import { useLeaveWarning } from '../components/use-leave-warning.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { COLUMN_LABELS } from './column-labels.ts';
import { ColumnMapping } from './column-mapping.tsx';
import type { ColumnChoices, PreviewedFile } from './import-file.ts';
import { ImportStatus } from './import-status.tsx';
import { keepChoices, keepFile, keptChoices } from './kept-file.ts';
import { importQuery } from './queries.ts';
import { reasonText } from './reason-text.ts';
import { useImport } from './use-import.ts';
import { ValuesForAllRows } from './values-for-all-rows.tsx';

interface ImportFormProps {
  chosen: PreviewedFile;
  /** Whether it was chosen just now. */
  takesFocus: boolean;
}

/** A file that was chosen: what its columns are, and what became of it after it was sent. */
export function ImportForm({ chosen, takesFocus }: ImportFormProps) {
  const { file, preview } = chosen;
  const environment = useEnvironment();
  const [choices, setChoices] = useState<ColumnChoices>(
    keptChoices(file) ?? {
      fields: preview && suggestFields(preview.columns, preview.rows),
      filled: {},
      dates: undefined,
    },
  );
  const { fields } = choices;
  // A column of the file says more than one value for all rows.
  const absent = fields ? FILLABLE_COLUMNS.filter((column) => !fields.includes(column)) : [];
  const filled: FilledColumns = Object.fromEntries(
    absent.flatMap((column) => (choices.filled[column]?.trim() ? [[column, choices.filled[column]]] : [])),
  );
  const datesColumn = fields?.indexOf('created_at') ?? -1;
  const dates = datesColumn === -1 ? undefined : (choices.dates ?? preview?.dates[datesColumn] ?? null);
  const { start, started, forget, problem, sending } = useImport(chosen, { fields, filled, dates: dates ?? undefined });
  const change = (changed: Partial<ColumnChoices>) => {
    const next = { ...choices, ...changed };
    keepChoices(file, next);
    setChoices(next);
    forget();
  };
  const chooseFields = (next: Fields) =>
    // The form of dates that was chosen for another column says nothing about this one.
    change({ fields: next, ...(next.indexOf('created_at') !== datesColumn && { dates: undefined }) });
  const { data: latest } = useQuery({
    ...importQuery(environment, started?.import_id ?? ''),
    enabled: started !== undefined,
  });
  const state = latest?.import.state ?? started?.state;
  const isWorking = state === 'queued' || state === 'running';
  // A file that was only checked, or whose import has stopped, can be sent again.
  const isDone = started !== undefined && !started.dry_run && (isWorking || state === 'completed');
  useEffect(() => keepFile(environment, isDone ? undefined : chosen), [environment, isDone, chosen]);
  useLeaveWarning(!isDone);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);
  const missing = fields ? REQUIRED_COLUMNS.filter((column) => !fields.includes(column) && !(column in filled)) : [];
  const isHeld = isWorking || missing.length > 0 || dates === null;
  if (isDone) {
    return (
      <Stack gap="md">
        <SentFileTitle name={file.name} />
        <ImportStatus importId={started.import_id} />
      </Stack>
    );
  }
  return (
    <Section title={file.name} titleRef={title} description={descriptionOf(preview)}>
      <Stack gap="md">
        {preview && fields && (
          <ColumnMapping
            preview={preview}
            fields={fields}
            onChange={chooseFields}
            dates={dates ?? null}
            onDates={(form) => change({ dates: form })}
            disabled={sending || isWorking}
          />
        )}
        {absent.length > 0 && (
          <ValuesForAllRows
            columns={absent}
            values={choices.filled}
            onChange={(values) => change({ filled: values })}
            disabled={sending || isWorking}
          />
        )}
        {missing.length > 0 && <MissingColumns missing={missing} />}
        {dates === null && <OpenDates column={preview?.columns[datesColumn] ?? ''} />}
        {missing.length === 0 && dates !== null && preview && fields && !started && (
          <RejectedPreview preview={preview} fields={fields} filled={filled} dates={dates} />
        )}
        {problem && (
          <Notice tone="error" title="The file was not sent">
            {problem}
          </Notice>
        )}
        <Group>
          <Button onClick={() => start(false)} loading={sending} disabled={isHeld}>
            {preview ? `Import ${countText(preview.total, 'row', 'rows')}` : 'Import the file'}
          </Button>
          <Button variant="default" onClick={() => start(true)} disabled={sending || isHeld}>
            Check only
          </Button>
        </Group>
        {started && <ImportStatus importId={started.import_id} takesFocus />}
      </Stack>
    </Section>
  );
}

/** Takes the focus of the button with which the file was sent, and which has gone. */
function SentFileTitle({ name }: { name: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Title ref={title} order={2} size="h4" tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
      {name}
    </Title>
  );
}

function descriptionOf(preview: FilePreview | undefined): string {
  if (preview) return countText(preview.total, 'row', 'rows');
  return 'Only the service can unpack this file, so its columns must have the names that an export gives them.';
}

/** A wrong guess would exchange day and month without a word. */
function OpenDates({ column }: { column: string }) {
  return (
    <Notice tone="warning" title="Day or month first?">
      Choose how the dates of {column || 'the column'} are written. They do not say which of the two comes first.
    </Notice>
  );
}

type RequiredColumn = (typeof REQUIRED_COLUMNS)[number];

/** Every client has its own, so they cannot be given once for all rows. */
const OWN_COLUMNS: readonly RequiredColumn[] = ['email', 'client_name'];

function MissingColumns({ missing }: { missing: readonly RequiredColumn[] }) {
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

interface RejectedPreviewProps {
  preview: FilePreview;
  fields: Fields;
  filled: FilledColumns;
  dates: DateForm | undefined;
}

/** What is wrong with the first rows, so that a wrong choice is seen before anything is sent. */
function RejectedPreview({ preview, fields, filled, dates }: RejectedPreviewProps) {
  const problems = preview.rows.flatMap((row) => {
    const parsed = parseRow(toSourceRow(row, fields, filled), dates);
    return typeof parsed === 'string' ? [{ line: row.line, reason: parsed }] : [];
  });
  if (problems.length === 0) return null;
  const first = countText(preview.rows.length, 'row', 'rows');
  return (
    <Notice tone="warning" title={`Of the first ${first}, ${problems.length} would be rejected`}>
      <List size="sm">
        {problems.map(({ line, reason }) => (
          <List.Item key={line}>
            Line {line.toLocaleString()}: {reasonText(reason)}
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt={6}>
        Rejected rows can be corrected after the import.
      </Text>
    </Notice>
  );
}
