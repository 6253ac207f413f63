import { Button, FocusTrap, Group, List, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  BULK_MAX,
  type BulkAnswer,
  type BulkChangeRecord,
  type BulkPatch,
  type SelectionForm,
} from '#contract/clients/bulk-changes.ts';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { Dialog } from '../components/dialog.tsx';
import { QueryContent } from '../components/query-content.tsx';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { sessionQuery } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { selectionCountsQuery } from './bulk-queries.ts';
import { beginChange } from './change-message.tsx';
import { changedAmong, deedOf, type PlannedChange, planChange } from './planned-change.ts';
import { ReasonArea } from './reason-area.tsx';
import { useReason } from './reason-input.tsx';
import { RefusedChanges } from './refused-changes.tsx';
import { useTellChanged } from './use-tell-changed.ts';
import { Whom } from './whom.tsx';

interface ChangeDialogProps {
  selection: SelectionForm;
  /** Those of the selected clients that are known, which are all of them if they were selected one by one. */
  known: readonly ClientRecord[];
  change: BulkPatch;
  /** When the change was made or has begun. The bar below the list is gone then, and with it what had the focus. */
  onChanged(): void;
  onClose(): void;
}

/** Says what will happen before it happens. A few clients are changed at once, and many by the service in the background. */
export function ChangeDialog({ selection, known, change, onChanged, onClose }: ChangeDialogProps) {
  const environment = useEnvironment();
  const counts = useQuery({
    ...selectionCountsQuery(environment, selection, change),
    // Not again after the change, while the dialog is still open.
    enabled: ({ state }) => state.data === undefined,
  });
  const [answer, setAnswer] = useState<BulkAnswer>();
  const tellChanged = useTellChanged();
  const deed = deedOf(change);
  const nameOf = (id: string) => known.find((client) => client.reference_id === id)?.client_name ?? id;
  const end = (result?: BulkAnswer) => {
    if (result) tellChanged(result, change);
    onClose();
    onChanged();
  };
  if (answer) return <RefusedChanges answer={answer} past={deed.past} nameOf={nameOf} onClose={() => end(answer)} />;
  const plan = counts.data && planChange(change, counts.data, selection.reference_ids?.length);
  const changed = plan ? changedAmong(known, change, plan, selection.reference_ids !== undefined) : [];
  return (
    <Dialog onClose={onClose} title={titleOf(change, plan, changed)}>
      {/* Otherwise, the button that closes the dialog would have the focus until the field is there, and a space would press it. */}
      {!plan && <FocusTrap.InitialFocus />}
      <QueryContent query={counts} lines={3}>
        {() =>
          plan && (
            <PlannedChangeForm
              {...{ selection, change, plan, changed, onClose }}
              // What was said before need not be said again.
              onAnswer={(result) => (result.refused.length > plan.refused ? setAnswer(result) : end(result))}
              onStarted={() => end()}
            />
          )
        }
      </QueryContent>
    </Dialog>
  );
}

function titleOf(change: BulkPatch, plan: PlannedChange | undefined, [first]: readonly ClientRecord[]): string {
  const { verb, to } = deedOf(change);
  if (plan?.changes === 1 && first) return `${verb} ${first.client_name}${to}?`;
  return `${verb} ${plan ? countText(plan.changes, 'client', 'clients') : 'clients'}${to}?`;
}

interface PlannedChangeFormProps extends Pick<ChangeDialogProps, 'selection' | 'change' | 'onClose'> {
  plan: PlannedChange;
  /** Those that will be changed, as far as they are known. */
  changed: readonly ClientRecord[];
  onAnswer(answer: BulkAnswer): void;
  onStarted(): void;
}

function PlannedChangeForm(props: PlannedChangeFormProps) {
  const { selection, change, plan, changed, onAnswer, onStarted, onClose } = props;
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const isRequired = change.request_status === 'declined' && session.requires_decline_reason;
  const { sendWithReason, ...reason } = useReason();
  const [sending, setSending] = useState(false);
  const isSmall = selection.reference_ids !== undefined && selection.reference_ids.length <= BULK_MAX;

  const send = async () => {
    if (sending || plan.changes === 0) return;
    setSending(true);
    beginChange();
    const form = { ...selection, ...change };
    try {
      if (isSmall) {
        const path = `/${environment}/clients/changes`;
        const answer = await sendWithReason((text) => sendChange<BulkAnswer>('POST', path, { ...form, reason: text }));
        if (answer) onAnswer(answer);
      } else {
        const path = `/${environment}/bulk-changes`;
        const started = await sendWithReason((text) =>
          sendChange<BulkChangeRecord>('POST', path, { ...form, reason: text }),
        );
        if (started) onStarted();
      }
    } finally {
      setSending(false);
    }
  };
  const { verb } = deedOf(change);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        notifyOnError(send());
      }}
    >
      <Stack>
        {changed.length > 0 && <Whom clients={changed} count={plan.changes} />}
        <Notes notes={plan.notes} />
        {plan.undoText && <Text size="sm">{plan.undoText}</Text>}
        {plan.changes > BULK_MAX && (
          <Text size="sm">
            Rollcall makes this change in the background, also if you leave this page. You can cancel it at any time.
          </Text>
        )}
        <ReasonArea
          description="For the history of each client."
          isRequired={isRequired}
          canUndo={plan.canUndo}
          onConfirm={() => notifyOnError(send())}
          {...reason}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={sending}
            disabled={plan.changes === 0}
            {...(change.request_status === 'declined' && { color: 'red.8' })}
          >
            {verb} {countText(plan.changes, 'client', 'clients')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length <= 1) return notes[0] ? <Text size="sm">{notes[0]}</Text> : null;
  return (
    <List size="sm" spacing={4}>
      {notes.map((note) => (
        <List.Item key={note}>{note}</List.Item>
      ))}
    </List>
  );
}
