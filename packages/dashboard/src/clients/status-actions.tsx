import { Button, Group, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import type { RequestStatus } from '#contract/clients/index.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { sessionQuery } from '../session.ts';
import { ReasonInput, useReason } from './reason-input.tsx';
import { actionLabel } from './status-appearance.ts';
import { useUpdateClient } from './use-update-client.ts';

/** Buttons for the statuses that may follow the current one, and the reason. The first is the usual next step. */
export function StatusActions({ client, next }: { client: ClientRecord; next: RequestStatus[] }) {
  const updateClient = useUpdateClient(client);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { sendWithReason, ...reason } = useReason();
  const isRequired = session.requires_decline_reason && next.includes('declined');
  const [sending, setSending] = useState(false);
  const send = (fields: Parameters<typeof updateClient>[0]) => {
    setSending(true);
    const change = sendWithReason((text) => updateClient(fields, text));
    notifyOnError(change.finally(() => setSending(false)));
  };
  const active = client.client_status === 'active';
  return (
    <Stack gap="sm">
      <ReasonInput
        label="Reason"
        description={`${isRequired ? 'Required to decline the client' : 'Optional'}. Kept in the history of the client.`}
        maw={480}
        {...reason}
      />
      <Group gap="xs">
        {next.map((status, index) => (
          <Button
            key={status}
            variant={index === 0 ? 'filled' : 'default'}
            {...(index > 0 && status === 'declined' && { c: 'var(--mantine-color-error)' })}
            disabled={sending}
            onClick={() => send({ request_status: status })}
          >
            {actionLabel(status)}
          </Button>
        ))}
        <Button
          variant="default"
          disabled={sending}
          onClick={() => send({ client_status: active ? 'inactive' : 'active' })}
        >
          {active ? 'Deactivate' : 'Activate'}
        </Button>
      </Group>
    </Stack>
  );
}
