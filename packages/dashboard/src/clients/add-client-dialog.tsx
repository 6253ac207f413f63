import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { AddClientForm, type ClientRecord } from '#contract/clients/clients.ts';
import { FormProblem } from '../components/form-problem.tsx';
import { useEnvironment } from '../environment.ts';
import { CLIENT_TYPE_LABELS, optionsOf } from '../labels.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';
import { GroupNameInput } from './group-inputs.tsx';

export function AddClientDialog({ onClose }: { onClose(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const navigate = useNavigate();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: AddClientForm,
    initialValues: { email: '', client_name: '', client_type: 'individual', group_name: '' },
    labels: { client_name: 'Name', group_name: 'Group', client_type: 'Type' },
    send: async (values) => {
      const { reference_id: referenceId } = await sendChange<ClientRecord>('POST', `/${environment}/clients`, values);
      await navigate({ to: '/$environment/clients/$referenceId', params: { environment, referenceId } });
    },
  });
  return (
    <Modal opened onClose={onClose} title="Add client" centered>
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
          <GroupNameInput
            label="Group"
            description="If no group has this name, it is created."
            {...form.getInputProps('group_name')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              Add client
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
