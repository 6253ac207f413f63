import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type FilePreview, toValueMapping } from '#contract/clients/files.ts';
import type { ImportRecord } from '#contract/clients/imports.ts';
import { AfterAWhile } from '../components/after-a-while.tsx';
import { isFocusLost } from '../components/is-focus-lost.ts';
import { Notice } from '../components/notice.tsx';
import { Section } from '../components/section.tsx';
import { useLeaveWarning } from '../components/use-leave-warning.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { quoted } from '../imported-from.ts';
import { FileChanged } from './changed-file.ts';
import { ChooseFileButton } from './choose-file-button.tsx';
import { ColumnMapping } from './column-mapping.tsx';
import { HeldImport } from './held-import.tsx';
import type { ColumnChoices, PreviewedFile } from './import-file.ts';
import {
  areInConflict,
  LeftOutColumns,
  MissingColumns,
  MixedDates,
  OnlyFirstRows,
  OpenDates,
  RejectedPreview,
  WhatToDo,
  ZoneOfDates,
} from './import-hints.tsx';
import { ImportStatus } from './import-status.tsx';
import { KeepStatus } from './keep-status.tsx';
import { keepFile } from './kept-file.ts';
import { useNoteOwnImport } from './own-import.ts';
import { isOver } from './queries.ts';
import { meaningOf, withMeaning } from './unknown-values.ts';
import { useCheckedImport } from './use-checked-import.ts';
import { useColumnChoices } from './use-column-choices.ts';
import { ValueMeanings } from './value-meanings.tsx';
import { ValuesForAllRows } from './values-for-all-rows.tsx';

interface ImportFormProps {
  chosen: PreviewedFile;
  /** Whether it was chosen just now. */
  takesFocus: boolean;
  /** Another one was chosen, or the same one again. */
  onFile(file: File): void;
}

/** A file that was chosen: what its columns are, and what became of it after it was sent. */
export function ImportForm({ chosen, takesFocus, onFile }: ImportFormProps) {
  const { file, preview } = chosen;
  const environment = useEnvironment();
  const columns = useColumnChoices(chosen);
  const { choices, absent, dates, datesColumn, unknown, missing, isAsLastTime, sent } = columns;
  const { fields } = choices;
  const { importFile, checkFile, forget, problem, sending, sentBefore, latest, check, told, isWorking, goesOn } =
    useCheckedImport(chosen, sent);
  const change = (changed: Partial<ColumnChoices>) => {
    columns.change(changed);
    forget();
  };
  // A file that was only checked, or whose import has stopped, can be sent again.
  const isDone = latest !== undefined && !latest.dry_run && (isWorking || latest.state === 'completed');
  useEffect(() => keepFile(environment, isDone ? undefined : chosen), [environment, isDone, chosen]);
  useLeaveWarning(!isDone);
  useNoteOwnImport(isDone ? latest.import_id : undefined);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);
  if (isDone) {
    return (
      <Stack gap="md">
        <SentFileTitle name={file.name} />
        <ImportStatus importId={latest.import_id} />
      </Stack>
    );
  }
  if (sentBefore) return <FileBeingSent name={file.name} isCheck={sentBefore.isCheck} />;
  const isFixed = sending || isWorking;
  const isHeld = isWorking || missing.length > 0 || dates === null;
  const shown = latest?.dry_run ? check : latest;
  const mixedDates = preview?.mixed_dates[datesColumn] ?? undefined;
  const nameOfDates = preview?.columns[datesColumn] || 'the column';
  const left = leftByCheck(check);
  return (
    <Section title={file.name} titleRef={title} description={descriptionOf(preview)}>
      <Stack gap="md">
        {preview && fields && (
          <ColumnMapping
            preview={preview}
            fields={fields}
            onChange={(next) => change(columns.withFields(next))}
            dates={dates ?? null}
            onDates={(form) => change({ dates: form })}
            disabled={isFixed}
          />
        )}
        {isAsLastTime.columns && <Text size="sm">Columns are chosen as for the last file that had them.</Text>}
        {unknown.length > 0 && (
          <ValueMeanings
            unknown={unknown}
            meaningOf={(field, value) => meaningOf(choices.meanings, field, value)}
            onChange={(field, value, word) => change({ meanings: withMeaning(choices.meanings, field, value, word) })}
            areFromLastTime={isAsLastTime.values}
            disabled={isFixed}
          />
        )}
        {absent.length > 0 && (
          <ValuesForAllRows
            columns={absent}
            values={choices.filled}
            onChange={(values) => change({ filled: values })}
            disabled={isFixed}
          />
        )}
        {missing.length > 0 && <MissingColumns missing={missing} />}
        {mixedDates && <MixedDates column={nameOfDates} examples={mixedDates} />}
        {dates === null && !areInConflict(mixedDates) && <OpenDates column={nameOfDates} />}
        {missing.length === 0 && dates !== null && preview && fields && !shown && (
          <>
            <RejectedPreview
              preview={preview}
              fields={fields}
              filled={sent.filled}
              reading={{ dates, values: toValueMapping(sent.values) }}
            />
            <OnlyFirstRows preview={preview} />
          </>
        )}
        {problem && (
          <Notice tone="error" title="The file was not sent">
            <Stack gap="sm" align="flex-start">
              {problem.message}
              {problem instanceof FileChanged && <ChooseFileButton label="Choose it again" onFile={onFile} />}
            </Stack>
          </Notice>
        )}
        {preview && fields && <LeftOutColumns columns={preview.columns} fields={fields} />}
        {(datesColumn !== -1 || !preview) && <ZoneOfDates />}
        {goesOn && (
          <AfterAWhile>
            <ComingImport check={latest} />
          </AfterAWhile>
        )}
        {shown && !goesOn && <ImportStatus importId={shown.import_id} keepsStatus={sent.keepsStatus} takesFocus />}
        {told && <WhatToDo check={told} keepsStatus={sent.keepsStatus} />}
        {sent.setsStatus && (
          <KeepStatus
            keepsStatus={sent.keepsStatus}
            onChange={(keepsStatus) => columns.change({ keepsStatus })}
            disabled={isFixed}
          />
        )}
        <Group>
          <Button onClick={importFile} loading={sending || goesOn} disabled={isHeld || left === 0}>
            {told ? 'Import anyway' : importLabel(preview, left)}
          </Button>
          <Button variant="default" onClick={checkFile} disabled={sending || isHeld}>
            Check only
          </Button>
          <HeldImport
            missing={missing}
            fields={fields}
            openDates={dates === null ? nameOfDates : undefined}
            isWorking={isWorking && !goesOn}
            isNothing={left === 0}
          />
        </Group>
      </Stack>
    </Section>
  );
}

/** If a check has found nothing to add or update: how many rows an import would only reject, so that they can be corrected. */
function leftByCheck(checked: ImportRecord | undefined): number | undefined {
  if (checked?.state !== 'completed' || checked.inserted + checked.updated > 0) return undefined;
  return checked.rejected;
}

function importLabel(preview: FilePreview | undefined, left: number | undefined): string {
  if (left === 0) return 'Nothing to import';
  if (left !== undefined) return `Correct ${countText(left, 'rejected row', 'rejected rows')}`;
  return preview ? `Import ${countText(preview.total, 'row', 'rows')}` : 'Import the file';
}

/** A file on its way through its check to its import. */
function ComingImport({ check }: { check: ImportRecord | undefined }) {
  if (check && !isOver(check)) return <ImportStatus importId={check.import_id} goesOn />;
  return (
    <Notice tone="plain" title="The file is being sent">
      You may go to other pages meanwhile, but do not close this tab.
    </Notice>
  );
}

/** Whoever comes back while the file is still being sent is not asked to send it once more. */
function FileBeingSent({ name, isCheck }: { name: string; isCheck: boolean }) {
  return (
    <Section title={name}>
      <Notice tone="plain" title="The file is being sent">
        The {isCheck ? 'check' : 'import'} begins when all of it has arrived. You may go to other pages meanwhile, but
        do not close this tab.
      </Notice>
    </Section>
  );
}

/** Takes the focus of the button with which the file was sent, and which has gone. */
function SentFileTitle({ name }: { name: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isFocusLost()) title.current?.focus();
  }, []);
  return (
    <Title ref={title} order={2} size="h4" tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
      {name}
    </Title>
  );
}

function descriptionOf(preview: FilePreview | undefined): string {
  if (preview) return `${countText(preview.total, 'row', 'rows')}${sheetText(preview)}`;
  return 'Only the service can unpack this file, so its columns must have the names that an export gives them.';
}

/** Whoever keeps clients in another sheet would look for them in vain. */
function sheetText({ sheet }: FilePreview): string {
  if (!sheet || sheet.others === 0) return '';
  const others = countText(sheet.others, 'other sheet', 'other sheets');
  return ` of the sheet ${quoted(sheet.name)}. Only the first sheet is read; the workbook has ${others}.`;
}
