import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import type { RequestStatus } from '#contract/clients/index.ts';
import { useEnvironment } from '../environment.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { reasonDraft } from './reason-drafts.ts';
import { ReasonInput, useReason } from './reason-input.tsx';
import { actionLabel } from './status-appearance.ts';
import { type StatusChange, useChangeStatus } from './use-change-status.ts';

interface StatusActionsProps {
  client: ClientRecord;
  /** The statuses that may follow the current one. The first is the usual next step. */
  next: RequestStatus[];
  /** When a change has been made or has failed, because the button that was pressed may have gone. */
  onEnd(): void;
}

/** Buttons for the statuses that may follow the current one, and the reason. Before a client is declined, a dialog asks. */
export function StatusActions({ client, next, onEnd }: StatusActionsProps) {
  // As it was when the member wanted to decline it. Somebody may change it while the dialog is open.
  const [declined, setDeclined] = useState<ClientRecord>();
  const changeStatus = useChangeStatus(declined ?? client);
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
  const active = client.client_status === 'active';
  // The step that may follow is back then, and not what is usually done next.
  const isDecided = client.request_status === 'completed' || client.request_status === 'declined';
  return (
    <Stack gap="sm">
      <ReasonInput label="Reason" description="Optional. Kept in the history of the client." maw={480} {...reason} />
      <Group gap="xs">
        {next.map((status, index) => (
          <Button
            key={status}
            variant={index === 0 && !isDecided ? 'filled' : 'default'}
            {...(index > 0 && status === 'declined' && { c: 'var(--mantine-color-error)' })}
            disabled={sending}
            onClick={() =>
              status === 'declined' ? setDeclined(client) : notifyOnError(send({ request_status: status }))
            }
          >
            {actionLabel(status)}
          </Button>
        ))}
        <Button
          variant="default"
          disabled={sending}
          onClick={() => notifyOnError(send({ client_status: active ? 'inactive' : 'active' }))}
        >
          {active ? 'Deactivate' : 'Activate'}
        </Button>
      </Group>
      {declined && (
        <DecisionDialog
          clients={[declined]}
          status="declined"
          typedReason={reason.value}
          onType={reason.onChange}
          onDecide={(given = '') => {
            setDeclined(undefined);
            notifyOnError(send({ request_status: 'declined' }, given));
          }}
          onClose={() => setDeclined(undefined)}
        />
      )}
    </Stack>
  );
}
