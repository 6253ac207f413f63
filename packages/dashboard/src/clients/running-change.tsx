import { Button } from '@mantine/core';
import type { BulkChangeRecord } from '#contract/clients/bulk-changes.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useSendChange } from '../use-send-change.ts';
import { deedOf } from './planned-change.ts';

export function runningTitle(change: BulkChangeRecord): string {
  const { present, to } = deedOf(change);
  const clients = countText(change.total_count, 'client', 'clients');
  return change.undoes ? `Putting ${clients} back` : `${present} ${clients}${to}`;
}

export function doneOf({ changed, unchanged, refused }: BulkChangeRecord): number {
  return changed + unchanged + refused;
}

export function CancelChangeButton({ changeId }: { changeId: string }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  return (
    <Button
      size="compact-xs"
      variant="default"
      onClick={() => notifyOnError(sendChange('DELETE', `/${environment}/bulk-changes/${changeId}`))}
    >
      Cancel
    </Button>
  );
}
