import { Button, List, Modal, Select, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { BulkAnswer, ClientRecord } from '#contract/clients/clients.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { withFieldLabel } from '../field-label.ts';
import { optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useSendChange } from '../use-send-change.ts';
import { GroupSelect } from './group-inputs.tsx';
import { ReasonInput, useReason } from './reason-input.tsx';

/** Changes the selected clients. Those that could not be changed are listed with the reason. */
export function BulkActions({ clients, onDone }: { clients: ClientRecord[]; onDone(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const [answer, setAnswer] = useState<BulkAnswer>();
  const { sendWithReason, ...reason } = useReason();
  const [sending, setSending] = useState(false);

  const send = async (fields: { request_status?: string; group_name?: string }) => {
    setSending(true);
    try {
      const ids = clients.map((client) => client.reference_id);
      const result = await sendWithReason((text) =>
        sendChange<BulkAnswer>('POST', `/${environment}/clients/changes`, {
          reference_ids: ids,
          ...fields,
          reason: text,
        }),
      );
      if (!result) return;
      if (result.refused.length > 0) setAnswer(result);
      else {
        notifications.show({ message: `${countText(result.changed, 'client', 'clients')} changed.` });
        onDone();
      }
    } finally {
      setSending(false);
    }
  };

  return (
    <div className="bulk-actions">
      <Text size="sm" fw={600}>
        {clients.length} selected
      </Text>
      <Select
        aria-label="Set request status of the selected clients"
        placeholder="Set request status…"
        size="xs"
        w={180}
        data={optionsOf(REQUEST_STATUS_LABELS)}
        value={null}
        disabled={sending}
        onChange={(status) => status && notifyOnError(send({ request_status: status }))}
      />
      <GroupSelect
        aria-label="Move the selected clients to a group"
        placeholder="Move to group…"
        size="xs"
        w={180}
        value={null}
        disabled={sending}
        onChange={(group) => group && notifyOnError(send({ group_name: group }))}
      />
      <ReasonInput aria-label="Reason" placeholder="Reason (optional)" size="xs" w={220} {...reason} />
      <Button size="compact-xs" variant="subtle" onClick={onDone}>
        Clear selection
      </Button>
      {answer && <RefusedChanges answer={answer} clients={clients} onClose={() => setAnswer(undefined)} />}
    </div>
  );
}

interface RefusedChangesProps {
  answer: BulkAnswer;
  clients: ClientRecord[];
  onClose(): void;
}

function RefusedChanges({ answer, clients, onClose }: RefusedChangesProps) {
  const nameOf = (id: string) => clients.find((client) => client.reference_id === id)?.client_name ?? id;
  return (
    <Modal
      opened
      onClose={onClose}
      title={answer.changed === 0 ? 'No clients were changed' : 'Some clients were not changed'}
      centered
    >
      <Text size="sm" mb="md">
        {countText(answer.changed, 'client', 'clients')} changed, {answer.refused.length} not changed:
      </Text>
      <List size="sm" spacing={6}>
        {answer.refused.map(({ reference_id: id, reason }) => (
          <List.Item key={id}>
            <b>{nameOf(id)}</b>: {withFieldLabel(reason)}
          </List.Item>
        ))}
      </List>
    </Modal>
  );
}
