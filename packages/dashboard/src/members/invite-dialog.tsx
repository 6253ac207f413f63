import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InviteForm } from '#contract/members/members.ts';
import { CopyBlock } from '../components/copy-block.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { sessionQuery } from '../queries.ts';
import { useChange } from '../use-change.ts';
import { useCheckedForm } from '../use-checked-form.ts';

export function InviteDialog({ onClose }: { onClose(): void }) {
  const [link, setLink] = useState<string>();
  return (
    <Modal opened onClose={onClose} title="Invite a member" centered closeOnClickOutside={!link}>
      {link ? (
        <Stack>
          <Text size="sm">
            Send this link to the person you invited. It works once, within seven days, and is not shown again.
          </Text>
          <CopyBlock label="Invitation link" value={link} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <Invite onInvited={(token) => setLink(`${location.origin}/invitation#${token}`)} onClose={onClose} />
      )}
    </Modal>
  );
}

function Invite({ onInvited, onClose }: { onInvited(token: string): void; onClose(): void }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const change = useChange();
  const { form, submit, problem, sending } = useCheckedForm({
    schema: InviteForm,
    initialValues: { email: '', role: 'viewer' },
    labels: {},
    send: async (values) => onInvited((await change<{ token: string }>('POST', '/invitations', values)).token),
  });
  const roles = [
    { value: 'viewer', label: 'Viewer: looks, changes nothing' },
    { value: 'admin', label: 'Admin: changes clients, keys and members' },
    ...(session.role === 'owner' ? [{ value: 'owner', label: 'Owner: everything, other owners too' }] : []),
  ];
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem message={problem} />
        <TextInput label="Email" type="email" autoComplete="off" data-autofocus {...form.getInputProps('email')} />
        <Select label="Role" data={roles} allowDeselect={false} {...form.getInputProps('role')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            Make the link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
