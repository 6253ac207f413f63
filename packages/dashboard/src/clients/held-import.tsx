import { Anchor, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { Fields, REQUIRED_COLUMNS } from '#contract/clients/files.ts';
import { COLUMN_LABELS } from './column-labels.ts';
import { columnFieldId, DATE_FORM_ID } from './column-mapping.tsx';
import { forAllRowsFieldId } from './values-for-all-rows.tsx';

/** Something that has to be chosen before a file can be sent. */
interface OpenChoice {
  what: string;
  /** The id of the field where it is chosen. */
  field: string;
}

interface HeldImportProps {
  missing: readonly (typeof REQUIRED_COLUMNS)[number][];
  fields: Fields | undefined;
  /** The column of dates that are not known to have the day or the month first. */
  openDates: string | undefined;
  isWorking: boolean;
  /** Whether a check has found nothing to add, to update or to correct. */
  isNothing: boolean;
}

/** Beside buttons that cannot be pressed: why, and a way to the fields that are still open, which may be far above. */
export function HeldImport({ missing, fields, openDates, isWorking, isNothing }: HeldImportProps) {
  const open = openChoices(missing, fields, openDates);
  if (open.length > 0) {
    return (
      <Text size="sm">
        Choose{' '}
        {open.map(({ what, field }, index) => (
          <Fragment key={field + what}>
            {index > 0 && (index === open.length - 1 ? ' and ' : ', ')}
            <Anchor component="button" type="button" size="sm" onClick={() => leadTo(field)}>
              {what}
            </Anchor>
          </Fragment>
        ))}{' '}
        first.
      </Text>
    );
  }
  if (isWorking) return <Text size="sm">The check has to end first.</Text>;
  return isNothing ? <Text size="sm">All rows are in Rollcall already.</Text> : null;
}

function openChoices(
  missing: HeldImportProps['missing'],
  fields: Fields = [],
  openDates: string | undefined,
): OpenChoice[] {
  // A column that nothing was chosen for is most likely the one.
  const unused = columnFieldId(Math.max(0, fields.indexOf(null)));
  const columns = missing.map((column) => ({
    what: `the ${COLUMN_LABELS[column].toLowerCase()}`,
    field: column === 'client_type' || column === 'group_name' ? forAllRowsFieldId(column) : unused,
  }));
  if (openDates === undefined) return columns;
  return [...columns, { what: `how the dates of ${openDates} are written`, field: DATE_FORM_ID }];
}

function leadTo(id: string): void {
  const field = document.getElementById(id);
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}
