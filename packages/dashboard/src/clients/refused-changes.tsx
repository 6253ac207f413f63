import { Stack, Text } from '@mantine/core';
import type { BulkAnswer } from '#contract/clients/bulk-changes.ts';
import { Dialog } from '../components/dialog.tsx';
import { countText } from '../count-text.ts';
import { withFieldLabel } from '../field-label.ts';

interface RefusedChangesProps {
  answer: Pick<BulkAnswer, 'changed' | 'refused'>;
  /** What was done to the others, such as `moved`. */
  past: string;
  nameOf(referenceId: string): string;
  onClose(): void;
}

/** The clients that were not changed, by the reason. */
export function RefusedChanges({ answer, past, nameOf, onClose }: RefusedChangesProps) {
  const { changed, refused } = answer;
  return (
    <Dialog onClose={onClose} title={changed === 0 ? `No clients were ${past}` : `Some clients were not ${past}`}>
      <Text size="sm" mb="md">
        {countText(changed, 'client', 'clients')} {past}, {refused.length.toLocaleString()} not {past}:
      </Text>
      <Stack gap="sm">
        {[...Map.groupBy(refused, ({ reason }) => reason)].map(([reason, some]) => (
          <RefusalReason
            key={reason}
            reason={reason}
            count={some.length}
            names={some.map(({ reference_id: id }) => nameOf(id))}
          />
        ))}
      </Stack>
    </Dialog>
  );
}

/** More names would not be read. */
const NAMES_SHOWN = 5;

interface RefusalReasonProps {
  reason: string;
  count: number;
  /** Of some of the clients. */
  names: readonly string[];
}

/** Such as `Another client of the group North has the same email. Ada, Bert and 11 more` */
export function RefusalReason({ reason, count, names }: RefusalReasonProps) {
  const shown = names.slice(0, NAMES_SHOWN);
  const more = count - shown.length;
  return (
    <Text size="sm" component="div">
      {withFieldLabel(reason)}
      <Text size="sm" c="dimmed">
        {shown.join(', ')}
        {more > 0 && ` and ${more.toLocaleString()} more`}
      </Text>
    </Text>
  );
}
