import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { VIEW_NAME_MAX_LENGTH, type ViewFilters, ViewForm, type ViewRecord } from '#contract/clients/views.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { useEnvironment } from '../environment.ts';
import { quoted } from '../imported-from.ts';
import { useCanEdit } from '../session.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';

interface SaveViewDialogProps {
  filters: ViewFilters;
  onSaved(view: ViewRecord): void;
  onClose(): void;
}

export function SaveViewDialog({ filters, onSaved, onClose }: SaveViewDialogProps) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const canShare = useCanEdit();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: ViewForm,
    initialValues: { name: '', filters, is_shared: false },
    labels: {},
    send: async (values) => {
      const view = await sendChange<ViewRecord>('POST', `/${environment}/views`, values);
      notifications.show({ message: `The view ${quoted(view.name)} was saved.` });
      onSaved(view);
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Save these filters as a view">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem message={problem} />
          <TextInput
            label="Name"
            autoComplete="off"
            maxLength={VIEW_NAME_MAX_LENGTH}
            data-autofocus
            {...form.getInputProps('name')}
          />
          {canShare && (
            <Checkbox label="Share it with all members" {...form.getInputProps('is_shared', { type: 'checkbox' })} />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              Save view
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
