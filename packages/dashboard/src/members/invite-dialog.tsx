import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '#contract/members/index.ts';
import { type Invited, InviteForm } from '#contract/members/members.ts';
import { Dialog } from '../components/dialog.tsx';
import { FormProblem } from '../components/form-problem.tsx';
import { optionsOf, ROLE_LABELS } from '../labels.ts';
import { sessionQuery } from '../session.ts';
import { useCheckedForm } from '../use-checked-form.ts';
import { useSendChange } from '../use-send-change.ts';
import { InvitationLink } from './invitation-link.tsx';

const ROLE_DESCRIPTIONS: Record<Role, string> = {
  owner: 'Can change clients, API keys and members, including other owners.',
  admin: 'Can change clients, API keys and members, except owners.',
  viewer: 'Can see everything, but change nothing.',
};

interface MadeInvitation {
  invited: Invited;
  guest: { email: string; role: Role };
}

export function InviteDialog({ onClose }: { onClose(): void }) {
  const [made, setMade] = useState<MadeInvitation>();
  return (
    <Dialog onClose={onClose} title="Invite member" isShownOnce={made !== undefined}>
      {made ? <InvitationLink {...made} onDone={onClose} /> : <InvitationForm onMade={setMade} onClose={onClose} />}
    </Dialog>
  );
}

function InvitationForm({ onMade, onClose }: { onMade(made: MadeInvitation): void; onClose(): void }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const sendChange = useSendChange({ refetch: 'later' });
  const { form, submit, problem, sending } = useCheckedForm({
    schema: InviteForm,
    initialValues: { email: '', role: 'viewer' as Role },
    labels: {},
    send: async (guest) => onMade({ invited: await sendChange<Invited>('POST', '/invitations', guest), guest }),
  });
  const roles = optionsOf(ROLE_LABELS).filter(({ value }) => value !== 'owner' || session.role === 'owner');
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem message={problem} />
        <TextInput label="Email" type="email" autoComplete="off" data-autofocus {...form.getInputProps('email')} />
        <Select
          label="Role"
          description={ROLE_DESCRIPTIONS[form.values.role]}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={roles}
          allowDeselect={false}
          {...form.getInputProps('role')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            Create link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
