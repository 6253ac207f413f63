import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type ClientRecord, CorrectClientForm } from '#contract/clients/clients.ts';
import { FormProblem } from '../components/form-problem.tsx';
import { CLIENT_TYPE_LABELS, optionsOf } from '../labels.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { GroupNameInput } from './group-inputs.tsx';
import { useUpdateClient } from './use-update-client.ts';

export function EditClientDialog({ client, onClose }: { client: ClientRecord; onClose(): void }) {
  const updateClient = useUpdateClient(client);
  const { form, submit, problem, sending } = useCheckedForm({
    schema: CorrectClientForm,
    initialValues: {
      email: client.email,
      client_name: client.client_name,
      client_type: client.client_type,
      group_name: client.group_name,
    },
    labels: { client_name: 'Name', group_name: 'Group', client_type: 'Type' },
    send: async (values) => {
      await updateClient(values);
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
            <Text size="sm" fw={500} mb={4} id="type-label">
              Type
            </Text>
            <SegmentedControl
              aria-labelledby="type-label"
              data={optionsOf(CLIENT_TYPE_LABELS)}
              {...form.getInputProps('client_type')}
            />
          </div>
          <GroupNameInput label="Group" {...form.getInputProps('group_name')} />
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
