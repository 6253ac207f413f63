import { Button, List, Modal, Select, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { BulkAnswer, ClientRecord } from '#contract/clients/clients.ts';
import { useEnvironment } from '../environment.ts';
import { report } from '../report.ts';
import { useChange } from '../use-change.ts';
import { GroupSelect } from './group-field.tsx';
import { capitalised, STATUSES } from './statuses.ts';

/** What can be done with the chosen clients. Those that may not change are listed with the reason. */
export function BulkBar({ clients, onDone }: { clients: ClientRecord[]; onDone(): void }) {
  const environment = useEnvironment();
  const change = useChange();
  const [answer, setAnswer] = useState<BulkAnswer>();
  const [sending, setSending] = useState(false);

  const send = async (fields: { request_status?: string; group_name?: string }) => {
    setSending(true);
    try {
      const ids = clients.map((client) => client.reference_id);
      const body = { reference_ids: ids, ...fields };
      const result = await change<BulkAnswer>('POST', `/${environment}/clients/changes`, body);
      if (result.refused.length > 0) setAnswer(result);
      else {
        notifications.show({ message: `${result.changed} ${result.changed === 1 ? 'client' : 'clients'} changed.` });
        onDone();
      }
    } finally {
      setSending(false);
    }
  };

  return (
    <div className="bulk-bar">
      <Text size="sm" fw={600}>
        {clients.length} chosen
      </Text>
      <Select
        aria-label="Set status of the chosen clients"
        placeholder="Set status…"
        size="xs"
        w={150}
        data={STATUSES.map((value) => ({ value, label: capitalised(value) }))}
        value={null}
        disabled={sending}
        onChange={(status) => status && report(send({ request_status: status }))}
      />
      <GroupSelect
        aria-label="Move the chosen clients to a group"
        placeholder="Move to group…"
        size="xs"
        w={180}
        value={null}
        disabled={sending}
        onChange={(group) => group && report(send({ group_name: group }))}
      />
      <Button size="compact-xs" variant="subtle" onClick={onDone}>
        Choose none
      </Button>
      {answer && <Refusals answer={answer} clients={clients} onClose={() => setAnswer(undefined)} />}
    </div>
  );
}

function Refusals({ answer, clients, onClose }: { answer: BulkAnswer; clients: ClientRecord[]; onClose(): void }) {
  const nameOf = (id: string) => clients.find((client) => client.reference_id === id)?.client_name ?? id;
  return (
    <Modal opened onClose={onClose} title="Not all of them could be changed" centered>
      <Text size="sm" mb="md">
        {answer.changed} changed, {answer.refused.length} left as they were:
      </Text>
      <List size="sm" spacing={6}>
        {answer.refused.map(({ reference_id: id, reason }) => (
          <List.Item key={id}>
            <b>{nameOf(id)}</b>: {reason}
          </List.Item>
        ))}
      </List>
    </Modal>
  );
}
