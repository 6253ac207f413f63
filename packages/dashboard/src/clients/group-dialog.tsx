import { Button, Group, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type CountedGroup, GroupForm } from '#contract/clients/groups.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { useEnvironment } from '../environment.ts';
import { quoted } from '../imported-from.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';

/** Creates a group, or renames one. */
export function GroupDialog({ group, onClose }: { group: CountedGroup | undefined; onClose(): void }) {
  const environment = useEnvironment();
  const sendChange = useSendChange();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: GroupForm,
    initialValues: { group_name: group?.group_name ?? '' },
    labels: { group_name: 'Name' },
    send: async (values) => {
      const name = values.group_name.trim();
      if (group) await sendChange('PATCH', `/${environment}/groups/${group.group_token}`, values);
      else await sendChange('POST', `/${environment}/groups`, values);
      const deed = group ? `renamed to ${quoted(name)}` : 'created';
      notifications.show({ message: `The group ${quoted(group?.group_name ?? name)} was ${deed}.` });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={group ? `Rename group “${group.group_name}”` : 'Create group'}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem message={problem} />
          <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('group_name')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              {group ? 'Rename group' : 'Create group'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
