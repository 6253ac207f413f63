import { Button, Group, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { problemsOfKeyValues } from '#contract/credentials/key-values.ts';
import { type KeyDetails, UpdateKeyForm } from '#contract/credentials/keys.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { useEnvironment } from '../environment.ts';
import { quoted } from '../imported-from.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';
import { ExpiryInput } from './expiry-input.tsx';
import { changedFields, KEY_FIELD_LABELS, type KeyFields } from './key-form.ts';
import { NetworksInput, NoteInput, RateLimitInput } from './key-inputs.tsx';
import { keyPath } from './queries.ts';

export function EditKeyDialog({ record, onClose }: { record: KeyDetails; onClose(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const [before] = useState(() => fieldsOf(record));
  const { form, inputProps, submit, problem, sending } = useCheckedForm({
    schema: UpdateKeyForm,
    checkValues: problemsOfKeyValues,
    initialValues: before,
    labels: KEY_FIELD_LABELS,
    send: async (values) => {
      const changed = changedFields(before, values);
      if (Object.keys(changed).length === 0) return onClose();
      await sendChange('PATCH', keyPath(environment, record.key_id), changed);
      onClose();
      notifications.show({ message: `The changes to ${quoted(values.name)} were saved.` });
    },
  });
  return (
    <Dialog onClose={onClose} title="Edit API key" closeOnEscape={!sending}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem message={problem} />
          <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
          <ExpiryInput {...inputProps('expires_at')} />
          <NetworksInput {...inputProps('allowed_networks')} />
          <RateLimitInput {...inputProps('rate_limit')} defaultLimit={record.default_rate_limit} />
          <NoteInput {...inputProps('note')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function fieldsOf({ name, note, allowed_networks, expires_at, rate_limit }: KeyDetails): KeyFields {
  return { name, note, allowed_networks, expires_at, rate_limit };
}
