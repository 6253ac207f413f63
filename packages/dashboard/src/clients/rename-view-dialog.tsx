import { Button, Group, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ChangeViewForm, VIEW_NAME_MAX_LENGTH, type ViewRecord } from '#contract/clients/views.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { useEnvironment } from '../environment.ts';
import { quoted } from '../imported-from.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';

export function RenameViewDialog({ view, onClose }: { view: ViewRecord; onClose(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: ChangeViewForm,
    initialValues: { name: view.name },
    labels: {},
    send: async (values) => {
      const { name } = await sendChange<ViewRecord>('PATCH', `/${environment}/views/${view.view_id}`, values);
      notifications.show({ message: `The view ${quoted(view.name)} was renamed to ${quoted(name)}.` });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Rename the view “${view.name}”`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem message={problem} />
          {view.is_shared && 'It is shared, so all members will see the new name.'}
          <TextInput
            label="Name"
            autoComplete="off"
            maxLength={VIEW_NAME_MAX_LENGTH}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              Rename view
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
