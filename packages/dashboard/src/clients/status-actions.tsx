import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import type { RequestStatus } from '#contract/clients/index.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { actionLabel } from './status-appearance.ts';
import { useUpdateClient } from './use-update-client.ts';

/** Buttons for the statuses that may follow the current one. The first is the usual next step. */
export function StatusActions({ client, next }: { client: ClientRecord; next: RequestStatus[] }) {
  const updateClient = useUpdateClient(client);
  const [sending, setSending] = useState(false);
  const send = (fields: Parameters<typeof updateClient>[0]) => {
    setSending(true);
    notifyOnError(updateClient(fields).finally(() => setSending(false)));
  };
  const active = client.client_status === 'active';
  return (
    <Group gap="xs">
      {next.map((status, index) => (
        <Button
          key={status}
          variant={index === 0 ? 'filled' : 'default'}
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
  );
}
