import { Anchor, CloseButton, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { BulkChangeRecord } from '#contract/clients/bulk-changes.ts';
import { Dialog } from '../components/dialog.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { sessionQuery, useCanEdit } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { bulkChangeQuery, isBulkChangeOver, latestBulkChangesQuery, ownResultIn } from './bulk-queries.ts';
import { beginChange, CANNOT_BE_UNDONE, tellNothingUndone } from './change-message.tsx';
import { whyNotPutBack } from './decision.ts';
import { useShownResult } from './last-change.ts';
import { asText, deedOf } from './planned-change.ts';
import { RefusalReason } from './refused-changes.tsx';
import { rememberedIds, rememberId } from './remembered-ids.ts';
import { isDone, leftAloneBy, resultShownMs } from './result-time.ts';
import { CancelChangeButton, doneOf, runningTitle } from './running-change.tsx';
import { UndoButton } from './undo-button.tsx';

/** Whoever comes back later has other work. */
const OLDEST_MS = 3_600_000;

/** The results that were closed in this browser tab, or need not be shown again. */
const CLOSED_KEY = 'rollcall-closed-changes';

/** The changes that the service is making for anybody, and the result of one's own last one. */
export function BulkChangeStatus() {
  const environment = useEnvironment();
  const { email } = useSuspenseQuery(sessionQuery).data;
  const { data } = useQuery(latestBulkChangesQuery(environment));
  const [closed, setClosed] = useState(() => rememberedIds(CLOSED_KEY));
  const changes = data?.results ?? [];
  const running = changes.filter((each) => !isBulkChangeOver(each)).toReversed();
  const last = ownResultIn(changes, email);
  const isShown = last && !closed.includes(last.change_id) && Date.parse(last.ended_at ?? '') > Date.now() - OLDEST_MS;
  return (
    <>
      {running.map((each) => (
        <RunningChange key={each.change_id} change={each} />
      ))}
      {isShown && (
        <EndedChange
          key={last.change_id}
          change={last}
          isBeingUndone={changes.some((each) => each.undoes === last.change_id)}
          onClose={() => setClosed(rememberId(CLOSED_KEY, last.change_id))}
        />
      )}
    </>
  );
}

function RunningChange({ change }: { change: BulkChangeRecord }) {
  const done = doneOf(change);
  const title = runningTitle(change);
  return (
    <section className="bulk-change" aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {useCanEdit() && <CancelChangeButton changeId={change.change_id} />}
      </Group>
      <Progress
        value={Math.min(100, (100 * done) / Math.max(1, change.total_count))}
        aria-label="Progress of the change"
        animated
      />
      <Text size="xs">{change.state === 'queued' ? 'Waiting to begin.' : progressText(change, done)}</Text>
    </section>
  );
}

function progressText({ changed, refused, total_count: total }: BulkChangeRecord, done: number): string {
  const parts = [`${done.toLocaleString()} of ${total.toLocaleString()} done`, `${changed.toLocaleString()} changed`];
  if (refused > 0) parts.push(`${refused.toLocaleString()} not changed`);
  return `${parts.join(', ')}.`;
}

interface EndedChangeProps {
  change: BulkChangeRecord;
  isBeingUndone: boolean;
  onClose(): void;
}

function EndedChange({ change, isBeingUndone, onClose }: EndedChangeProps) {
  const [asking, setAsking] = useState(false);
  useGone(resultShownMs(change), onClose);
  useShownOnce(change);
  const undo = useUndoResult(change);
  const whyNot = isBeingUndone ? undefined : whyNotUndone(change);
  useShownResult(change.change_id, undo ?? (whyNot === undefined ? undefined : () => tellNothingUndone(whyNot)));
  return (
    <section className="bulk-change" aria-label="Result of the change">
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text size="sm" role="status">
          {endText(change)} {whyNot !== undefined && `${CANNOT_BE_UNDONE} `}
          {change.refused > 0 && (
            <Anchor component="button" type="button" size="sm" onClick={() => setAsking(true)}>
              Show why
            </Anchor>
          )}
        </Text>
        <Group gap={6} wrap="nowrap">
          {undo && (
            <UndoButton changeId={change.change_id} onClick={undo}>
              {change.undoable < change.changed ? `Undo ${change.undoable.toLocaleString()} of them` : 'Undo'}
            </UndoButton>
          )}
          <CloseButton size="sm" aria-label="Close the result" onClick={onClose} />
        </Group>
      </Group>
      {asking && <RefusalsDialog changeId={change.change_id} onClose={() => setAsking(false)} />}
    </section>
  );
}

/** Closes the result after this time. */
function useGone(afterMs: number, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const timer = setTimeout(() => close(), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
}

/** A result with which nothing is left to do does not come back when its member does. */
function useShownOnce(change: BulkChangeRecord): void {
  const { change_id: id } = change;
  const isOnce = isDone(change);
  useEffect(() => {
    if (isOnce) rememberId(CLOSED_KEY, id);
  }, [isOnce, id]);
}

/** Returns the function that undoes the change, if something of it can be undone. */
function useUndoResult({ change_id: id, undoable }: BulkChangeRecord): (() => void) | undefined {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const canEdit = useCanEdit();
  if (!canEdit || undoable === 0) return undefined;
  return () => {
    beginChange();
    void notifyOnError(sendChange('POST', `/${environment}/bulk-changes/${id}/undo`));
  };
}

/** Only a request status cannot be put back. */
function whyNotUndone({ changed, undoable, undoes, request_status: status }: BulkChangeRecord): string | undefined {
  if (changed === 0 || undoable > 0 || undoes !== null || status === null) return undefined;
  return whyNotPutBack(countText(changed, 'client', 'clients'), status);
}

/** Such as `1,000 clients changed to Completed. 12 already were Completed. 3 not changed.` */
function endText(change: BulkChangeRecord): string {
  const { past, to } = deedOf(change);
  const parts: string[] = [];
  if (change.state === 'cancelled') parts.push('Cancelled.');
  if (change.state === 'failed') parts.push(`Stopped: ${change.reason}`);
  if (change.undoes) {
    parts.push(`Put back: ${countText(change.changed, 'client', 'clients')}.`);
    const left = leftAloneBy(change);
    if (change.state === 'completed' && left > 0) {
      parts.push(`${countText(left, 'client was', 'clients were')} changed by somebody since and left alone.`);
    }
  } else {
    parts.push(`${countText(change.changed, 'client', 'clients')} ${past}${to}.`);
    if (change.unchanged > 0) {
      const were = change.unchanged === 1 ? 'was' : 'were';
      parts.push(`${change.unchanged.toLocaleString()} already ${were} ${asText(change)}.`);
    }
  }
  if (change.refused > 0) parts.push(`${change.refused.toLocaleString()} not ${change.undoes ? 'put back' : past}.`);
  return parts.join(' ');
}

function RefusalsDialog({ changeId, onClose }: { changeId: string; onClose(): void }) {
  const query = useQuery(bulkChangeQuery(useEnvironment(), changeId));
  return (
    <Dialog onClose={onClose} title="Why some clients were not changed">
      <QueryContent query={query} lines={3}>
        {({ refusals }) => (
          <Stack gap="sm">
            {refusals.map(({ reason, count, clients }) => (
              <RefusalReason
                key={reason}
                reason={reason}
                count={count}
                names={clients.map(({ client_name: name }) => name)}
              />
            ))}
          </Stack>
        )}
      </QueryContent>
    </Dialog>
  );
}
