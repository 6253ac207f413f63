import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { BulkAnswer } from '#contract/clients/bulk-changes.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { withFieldLabel } from '../field-label.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useSendChange } from '../use-send-change.ts';

/** Longer than other messages, because somebody may want to undo the change. */
const SHOWN_MS = 15_000;

/** Returns the function that says how many clients were changed, and offers to put them back. */
export function useUndoToast(): (answer: BulkAnswer, deed: { past: string; to: string }) => void {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const undo = async (changes: NonNullable<BulkAnswer['undo']>) => {
    const path = `/${environment}/clients/changes/undo`;
    const { changed, refused } = await sendChange<BulkAnswer>('POST', path, changes);
    const reasons = [...Map.groupBy(refused, ({ reason }) => reason)].map(
      ([reason, some]) => ` ${some.length.toLocaleString()} not: ${withFieldLabel(reason)}`,
    );
    notifications.show({
      message: `${countText(changed, 'client is as it was', 'clients are as they were')} before.${reasons.join('')}`,
      autoClose: SHOWN_MS,
    });
  };
  return ({ changed, refused, undo: changes }, { past, to }) => {
    if (changed === 0) return;
    const rest = refused.length > 0 ? ` ${refused.length.toLocaleString()} not ${past}.` : '';
    const id = notifications.show({
      autoClose: changes ? SHOWN_MS : 5000,
      message: (
        <Group justify="space-between" gap="xs">
          <Text size="sm">
            {countText(changed, 'client', 'clients')} {past}
            {to}.{rest}
          </Text>
          {changes && (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => {
                notifications.hide(id);
                notifyOnError(undo(changes));
              }}
            >
              {changes.reference_ids.length < changed ? `Undo ${changes.reference_ids.length} of them` : 'Undo'}
            </Button>
          )}
        </Group>
      ),
    });
  };
}
