import { List } from '@mantine/core';
import { countText } from '../count-text.ts';
import { reasonText } from './reason-text.ts';
import { whereText } from './where-text.ts';

/** Why rows are rejected. */
export interface CountedReason {
  reason: string;
  /** Of how many rows. */
  rows: number;
  /** Of the first of them. */
  lines: readonly number[];
}

/** Each reason once, and how many rows were rejected for others. */
export function ReasonList({ reasons, others = 0 }: { reasons: readonly CountedReason[]; others?: number }) {
  return (
    <List size="sm" mt={6}>
      {reasons.map(({ reason, ...where }) => (
        <List.Item key={reason}>
          {whereText(where)}: {reasonText(reason)}
        </List.Item>
      ))}
      {others > 0 && <List.Item>… and {countText(others, 'more rejected row', 'more rejected rows')}</List.Item>}
    </List>
  );
}
