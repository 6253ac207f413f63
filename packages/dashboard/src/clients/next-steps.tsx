import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { ClientRecord } from '#contract/clients/clients.ts';
import { report } from '../report.ts';
import { deedOf, type Status } from './statuses.ts';
import { useChangeClient } from './use-change-client.ts';

/** Only what may come next is on offer; the first is the way forward. */
export function NextSteps({ client, next }: { client: ClientRecord; next: Status[] }) {
  const changeClient = useChangeClient(client);
  const [sending, setSending] = useState(false);
  const send = (fields: Parameters<typeof changeClient>[0]) => {
    setSending(true);
    report(changeClient(fields).finally(() => setSending(false)));
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
          {deedOf(client.request_status, status)}
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
