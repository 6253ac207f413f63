import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  FILLABLE_COLUMNS,
  type Fields,
  type FilledColumns,
  REQUIRED_COLUMNS,
  STATUS_FIELDS,
  suggestFields,
} from '#contract/clients/files.ts';
import { sessionQuery } from '../session.ts';
import type { ColumnChoices, PreviewedFile, SentChoices } from './import-file.ts';
import { keepChoices, keptChoices } from './kept-file.ts';
import { rememberedFields, rememberFields } from './remembered-columns.ts';
import { rememberedMeanings, rememberMeanings } from './remembered-meanings.ts';
import { chosenValues, meaningOf, unknownValuesIn } from './unknown-values.ts';

/** What a member says about the columns of a file, and what is still open. */
export function useColumnChoices({ file, preview }: PreviewedFile) {
  const { account_id: accountId } = useSuspenseQuery(sessionQuery).data;
  const [choices, setChoices] = useState(() => keptChoices(file) ?? firstChoices(accountId, preview));
  const { fields } = choices;
  // A column of the file says more than one value for all rows.
  const absent = fields ? FILLABLE_COLUMNS.filter((column) => !fields.includes(column)) : [];
  const filled: FilledColumns = Object.fromEntries(
    absent.flatMap((column) => (choices.filled[column]?.trim() ? [[column, choices.filled[column]]] : [])),
  );
  const datesColumn = fields?.indexOf('created_at') ?? -1;
  const dates = datesColumn === -1 ? undefined : (choices.dates ?? preview?.dates[datesColumn] ?? null);
  const unknown = preview && fields ? unknownValuesIn(preview, fields) : [];
  const missing = fields ? REQUIRED_COLUMNS.filter((column) => !fields.includes(column) && !(column in filled)) : [];
  const values = chosenValues(unknown, choices.meanings);
  const setsStatus = !fields || 'request_status' in filled || STATUS_FIELDS.some((field) => fields.includes(field));
  const keepsStatus = setsStatus && choices.keepsStatus;
  const sent: SentChoices = { fields, filled, dates: dates ?? undefined, values, setsStatus, keepsStatus };

  const { lastTime } = choices;
  const isAsLastTime = {
    columns: fields !== undefined && fields === lastTime.fields,
    values: unknown.some(({ field, values }) =>
      values?.some((value) => {
        const word = meaningOf(lastTime.meanings, field, value);
        return word && word === meaningOf(choices.meanings, field, value);
      }),
    ),
  };

  const change = (changed: Partial<ColumnChoices>) => {
    const next = { ...choices, ...changed };
    keepChoices(file, next);
    if (changed.fields && preview) rememberFields(accountId, preview.columns, changed.fields);
    if (changed.meanings) rememberMeanings(accountId, changed.meanings);
    setChoices(next);
  };
  /** The form of dates that was chosen for another column says nothing about this one. */
  const withFields = (next: Fields): Partial<ColumnChoices> => ({
    fields: next,
    ...(next.indexOf('created_at') !== datesColumn && { dates: undefined }),
  });
  return { choices, change, withFields, absent, datesColumn, dates, unknown, missing, isAsLastTime, sent };
}

/** What is suggested for a file, unless it was chosen for another one before. */
function firstChoices(accountId: number, preview: PreviewedFile['preview']): ColumnChoices {
  const suggested = preview && suggestFields(preview.columns, preview.rows);
  const remembered = preview && suggested && rememberedFields(accountId, preview.columns, suggested);
  const meanings = rememberedMeanings(accountId);
  // Whoever chose what is suggested anyway need not be told.
  const isOwnChoice = String(remembered) !== String(suggested);
  return {
    fields: remembered ?? suggested,
    filled: {},
    dates: undefined,
    meanings,
    lastTime: { fields: isOwnChoice ? remembered : undefined, meanings },
    keepsStatus: false,
  };
}
