import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type CreatedKey, CreateKeyForm } from '#contract/credentials/keys.ts';
import { FormProblem } from '../components/form-problem.tsx';
import { Notice } from '../components/notice.tsx';
import { useEnvironment } from '../environment.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';
import { CreatedKeyPanel } from './created-key-panel.tsx';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

export function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const [created, setCreated] = useState<CreatedKey>();
  const title = created ? `API key “${created.name}” created` : 'Create API key';
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={created ? 'lg' : 'md'}
      centered
      // The key is shown only once, so a stray click or key press must not close the dialog.
      closeOnClickOutside={!created}
      closeOnEscape={!created}
    >
      {created ? (
        <CreatedKeyPanel created={created} onDone={onClose} />
      ) : (
        <KeyForm onCreated={setCreated} onClose={onClose} />
      )}
    </Modal>
  );
}

function KeyForm({ onCreated, onClose }: { onCreated(key: CreatedKey): void; onClose(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const [days, setDays] = useState('');
  const { form, submit, problem, sending } = useCheckedForm({
    schema: CreateKeyForm,
    initialValues: { name: '' },
    labels: { name: 'Name' },
    send: async ({ name }) => {
      const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      onCreated(await sendChange<CreatedKey>('POST', `/${environment}/keys`, { name, expires_at: expiresAt }));
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem message={problem} />
        <TextInput
          label="Name"
          description="The program that will use the key, so that you know what stops working when you revoke it."
          placeholder="Billing export"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label="Expires"
          data={LIFETIMES}
          value={days}
          onChange={(value) => setDays(value ?? '')}
          allowDeselect={false}
        />
        {environment === 'production' && (
          <Notice tone="plain">
            This key gives access to your real clients. To try things out, create a key in the sandbox.
          </Notice>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            Create API key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
