import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type ClientRecord, CorrectClientForm } from '#contract/clients/clients.ts';
import { FormProblem } from '../components/form-problem.tsx';
import { useCheckedForm } from '../use-checked-form.ts';
import { GroupField } from './group-field.tsx';
import { capitalised, TYPES } from './statuses.ts';
import { useChangeClient } from './use-change-client.ts';

export function CorrectClientDialog({ client, onClose }: { client: ClientRecord; onClose(): void }) {
  const changeClient = useChangeClient(client);
  const { form, submit, problem, sending } = useCheckedForm({
    schema: CorrectClientForm,
    initialValues: {
      email: client.email,
      client_name: client.client_name,
      client_type: client.client_type,
      group_name: client.group_name,
    },
    labels: { client_name: 'The name', group_name: 'The group' },
    send: async (values) => {
      await changeClient(values);
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Edit client" centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem message={problem} />
          <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('client_name')} />
          <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps('email')} />
          <div>
            <Text size="sm" fw={500} mb={4} id="correct-type-label">
              Type
            </Text>
            <SegmentedControl
              aria-labelledby="correct-type-label"
              data={TYPES.map((value) => ({ value, label: capitalised(value) }))}
              {...form.getInputProps('client_type')}
            />
          </div>
          <GroupField label="Group" {...form.getInputProps('group_name')} />
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
    </Modal>
  );
}
