import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { BulkAnswer, ClientRecord } from '#contract/clients/clients.ts';
import type { RequestStatus } from '#contract/clients/index.ts';
import { countText } from '../count-text.ts';
import { useEnvironment } from '../environment.ts';
import { withFieldLabel } from '../field-label.ts';
import { optionsOf, REQUEST_STATUS_LABELS } from '../labels.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { useSendChange } from '../use-send-change.ts';
import { GroupSelect } from './group-inputs.tsx';
import { ReasonInput, useReason } from './reason-input.tsx';

/** What is to become of the selected clients. */
type Change = { request_status: RequestStatus } | { group_name: string };

/** Changes the selected clients, after a confirmation. Those that could not be changed are listed with the reason. */
export function BulkActions({ clients, onDone }: { clients: ClientRecord[]; onDone(): void }) {
  const [change, setChange] = useState<Change>();
  const [answer, setAnswer] = useState<BulkAnswer>();
  const finish = (result: BulkAnswer) => {
    setChange(undefined);
    if (result.refused.length > 0) return setAnswer(result);
    notifications.show({ message: `${countText(result.changed, 'client', 'clients')} changed.` });
    onDone();
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
        onChange={(status) => status && setChange({ request_status: status as RequestStatus })}
      />
      <GroupSelect
        aria-label="Move the selected clients to a group"
        placeholder="Move to group…"
        size="xs"
        w={180}
        value={null}
        onChange={(group) => group && setChange({ group_name: group })}
      />
      <Button size="compact-xs" variant="subtle" onClick={onDone}>
        Clear selection
      </Button>
      {change && (
        <ChangeDialog clients={clients} change={change} onChanged={finish} onClose={() => setChange(undefined)} />
      )}
      {answer && <RefusedChanges answer={answer} clients={clients} onClose={() => setAnswer(undefined)} />}
    </div>
  );
}

interface ChangeDialogProps {
  clients: ClientRecord[];
  change: Change;
  onChanged(answer: BulkAnswer): void;
  onClose(): void;
}

/** Many clients cannot be changed back as easily, so a stray click must not be enough. */
function ChangeDialog({ clients, change, onChanged, onClose }: ChangeDialogProps) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const { sendWithReason, ...reason } = useReason();
  const [sending, setSending] = useState(false);
  // Those that are already as wanted need no change, and would be refused.
  const others = clients.filter((client) => !isAlready(client, change));
  const number = countText(others.length, 'client', 'clients');
  const title =
    'group_name' in change
      ? `Move ${number} to ${change.group_name}?`
      : `Change ${number} to ${REQUEST_STATUS_LABELS[change.request_status]}?`;

  const send = async () => {
    setSending(true);
    try {
      const form = { reference_ids: others.map((client) => client.reference_id), ...change };
      const result = await sendWithReason((text) =>
        sendChange<BulkAnswer>('POST', `/${environment}/clients/changes`, { ...form, reason: text }),
      );
      if (result) onChanged(result);
    } finally {
      setSending(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          notifyOnError(send());
        }}
      >
        <Stack>
          {others.length < clients.length && (
            <Text size="sm">{alreadyText(clients.length - others.length, change)}</Text>
          )}
          <ReasonInput label="Reason" description="For the history of each client." data-autofocus {...reason} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending} disabled={others.length === 0}>
              {'group_name' in change ? `Move ${number}` : `Change ${number}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function isAlready(client: ClientRecord, change: Change): boolean {
  return 'group_name' in change
    ? client.group_name === change.group_name
    : client.request_status === change.request_status;
}

/** Such as `3 of the selected clients are already Completed.` */
function alreadyText(count: number, change: Change): string {
  const what = 'group_name' in change ? `in ${change.group_name}` : REQUEST_STATUS_LABELS[change.request_status];
  return `${countText(count, 'of the selected clients is', 'of the selected clients are')} already ${what}.`;
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
      <Stack gap="sm">
        {[...Map.groupBy(answer.refused, ({ reason }) => reason)].map(([reason, refused]) => (
          <Text key={reason} size="sm" component="div">
            {withFieldLabel(reason)}
            <Text size="sm" c="dimmed">
              {namesText(refused.map(({ reference_id: id }) => nameOf(id)))}
            </Text>
          </Text>
        ))}
      </Stack>
    </Modal>
  );
}

/** More names would not be read. */
const NAMES_SHOWN = 5;

/** Such as `Ada, Bert and 11 more`. */
function namesText(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return more > 0 ? `${names.slice(0, NAMES_SHOWN).join(', ')} and ${more} more` : names.join(', ');
}
