import { Box } from '@mantine/core';
import type { ChangedValues } from '#contract/members/activity.ts';
import { ChangedFields, Reason } from '../components/changed-fields.tsx';

/** The values before and after a change, below what says whose they are. */
export function Changes({ from, to, reason }: ChangedValues) {
  return (
    <Box mt={2} c="dimmed">
      <ChangedFields from={from} to={to} />
      <Reason reason={reason} />
    </Box>
  );
}
