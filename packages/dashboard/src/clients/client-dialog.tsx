import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { Static } from 'typebox';
import { ClientForm } from '#contract/clients/clients.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { CLIENT_TYPE_LABELS, optionsOf } from '../labels.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { GroupNameInput } from './group-inputs.tsx';
import { useEmailInUse } from './use-email-in-use.ts';

interface ClientDialogProps {
  title: string;
  submitLabel: string;
  initialValues: Static<typeof ClientForm>;
  /** Whether a client is added. A group is created then if none has the name. */
  isNew?: boolean;
  onClose(): void;
  send(values: Static<typeof ClientForm>): Promise<void>;
}

/** A dialog with the fields of a client, for adding one and for editing one. */
export function ClientDialog({ title, submitLabel, initialValues, isNew = false, onClose, send }: ClientDialogProps) {
  const { form, submit, problem, sending } = useCheckedForm({
    schema: ClientForm,
    initialValues,
    labels: { client_name: 'Name', group_name: 'Group', client_type: 'Type', external_id: 'External ID' },
    send,
  });
  const emailInUse = useEmailInUse(isNew ? form.values.email : '');
  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem message={problem} />
          <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('client_name')} />
          <TextInput
            label="Email"
            description={emailInUse}
            type="email"
            autoComplete="off"
            {...form.getInputProps('email')}
          />
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
            description={isNew && 'If no group has this name, it is created.'}
            mustExist={!isNew}
            {...form.getInputProps('group_name')}
          />
          <TextInput
            label="External ID (optional)"
            description="The ID of the client in your own system."
            autoComplete="off"
            {...form.getInputProps('external_id')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
