import { Button, Group, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import type { RequestStatus } from '#contract/clients/index.ts';
import { isForPage } from '../components/page-keys.ts';
import { usePageKeys } from '../components/use-page-keys.ts';
import { useEnvironment } from '../environment.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { sessionQuery } from '../session.ts';
import { canBePutBack, type Decided } from './decision.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { reasonDraft } from './reason-drafts.ts';
import { ReasonInput, useReason } from './reason-input.tsx';
import { actionLabel } from './status-appearance.ts';
import { expectMoreTyping, swallowTypedOn } from './typed-on.ts';
import { type StatusChange, useChangeStatus } from './use-change-status.ts';

interface StatusActionsProps {
  client: ClientRecord;
  /** The statuses that may follow the current one. The first is the usual next step. */
  next: RequestStatus[];
  /** When a change has been made or has failed, because the button that was pressed may have gone. */
  onEnd(): void;
}

interface OpenDecision {
  status: Decided;
  /** As it was when the dialog was opened. Somebody may change it meanwhile. */
  client: ClientRecord;
}

/**
 * Buttons for the statuses that may follow the current one, and the reason. Before a client is declined, a dialog asks, and after a
 * key also before it is completed, because a stray key must not change anything.
 */
export function StatusActions({ client, next, onEnd }: StatusActionsProps) {
  const [decision, setDecision] = useState<OpenDecision>();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const changeStatus = useChangeStatus(decision?.client ?? client);
  const { sendWithReason, ...reason } = useReason(reasonDraft(useEnvironment(), client.reference_id, 'page'));
  const [sending, setSending] = useState(false);
  const send = async (change: StatusChange, given?: string) => {
    setSending(true);
    try {
      await sendWithReason((text) => changeStatus(change, text), given);
    } finally {
      setSending(false);
      onEnd();
    }
  };
  const decide = (status: Decided) => {
    if (next.includes(status) && !sending) setDecision({ status, client });
  };
  usePageKeys([
    ['c', () => decide('completed')],
    ['d', () => decide('declined')],
  ]);
  useNoTypingOn();
  const active = client.client_status === 'active';
  // A dialog says it of the others.
  const forGood = next.filter((status) => status !== 'declined' && !canBePutBack({ clients: [client], status }));
  // The step that may follow is back then, and not what is usually done next.
  const isDecided = client.request_status === 'completed' || client.request_status === 'declined';
  return (
    <Stack gap="sm">
      <ReasonInput
        label="Reason"
        description={`${session.requires_decline_reason ? 'Needed to decline the client' : 'Optional'}. Kept in the history of the client.`}
        maw={480}
        {...reason}
      />
      <Group gap="xs">
        {next.map((status, index) => (
          <Button
            key={status}
            variant={index === 0 && !isDecided ? 'filled' : 'default'}
            {...(index > 0 && status === 'declined' && { c: 'var(--mantine-color-error)' })}
            disabled={sending}
            onClick={onFirstClick(() =>
              status === 'declined' ? decide(status) : notifyOnError(send({ request_status: status })),
            )}
          >
            {actionLabel(status)}
          </Button>
        ))}
        <Button
          variant="default"
          disabled={sending}
          onClick={onFirstClick(() => notifyOnError(send({ client_status: active ? 'inactive' : 'active' })))}
        >
          {active ? 'Deactivate' : 'Activate'}
        </Button>
      </Group>
      {forGood.length > 0 && (
        <Text size="sm" c="dimmed">
          {forGood.map((status) => `“${actionLabel(status)}”`).join(' and ')} cannot be undone.
        </Text>
      )}
      {decision && (
        <DecisionDialog
          clients={[decision.client]}
          status={decision.status}
          typedReason={reason.value}
          onDecide={(given = '') => {
            setDecision(undefined);
            // In sight until it is in the history, so that it is not lost if the change fails.
            reason.onChange(given);
            if (given !== '') expectMoreTyping();
            notifyOnError(send({ request_status: decision.status }, given));
          }}
          onClose={() => setDecision(undefined)}
        />
      )}
    </Stack>
  );
}

/**
 * The buttons change with the status, so the second click of a double click would take the next step, too, and most steps cannot be
 * undone. A key that is held takes one step, because the focus moves on.
 */
function onFirstClick(act: () => void) {
  return ({ detail }: { detail: number }) => {
    if (detail <= 1) act();
  };
}

/** What is typed on after a reason was sent does nothing, as in the review. */
function useNoTypingOn(): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && isForPage(event)) swallowTypedOn(event);
    };
    // Before the shortcuts, which listen further inside.
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}
