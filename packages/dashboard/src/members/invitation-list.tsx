import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitationRecord, Invited } from '#contract/members/members.ts';
import { Dialog } from '../components/dialog.tsx';
import { Time } from '../components/time.tsx';
import { ROLE_LABELS } from '../labels.ts';
import { notifyOnError } from '../notify-on-error.ts';
import { sessionQuery } from '../session.ts';
import { useSendChange } from '../use-send-change.ts';
import { InvitationLink } from './invitation-link.tsx';

export function InvitationList({ invitations, canEdit }: { invitations: InvitationRecord[]; canEdit: boolean }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const sendChange = useSendChange({ refetch: 'later' });
  const [renewed, setRenewed] = useState<{ invited: Invited; guest: InvitationRecord }>();
  const renew = async (guest: InvitationRecord) => {
    const invited = await sendChange<Invited>('POST', `/invitations/${guest.invitation_id}/renewal`);
    setRenewed({ invited, guest });
  };
  return (
    <Box>
      <Title order={2} size="h4" mb="sm">
        Open invitations
      </Title>
      <Stack gap={0} className="surface">
        {invitations.map((invitation) => (
          <Group key={invitation.invitation_id} justify="space-between" px="md" py="sm">
            <Box>
              <Text size="sm">
                {invitation.email} as {ROLE_LABELS[invitation.role]}
              </Text>
              <Text size="xs" c="dimmed">
                Invited by {invitation.created_by}. The link expires on <Time value={invitation.expires_at} />.
              </Text>
            </Box>
            {canEdit && (invitation.role !== 'owner' || session.role === 'owner') && (
              <Group gap="xs">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Renew the invitation for ${invitation.email}`}
                  onClick={() => notifyOnError(renew(invitation))}
                >
                  Renew
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Withdraw the invitation for ${invitation.email}`}
                  onClick={() => notifyOnError(sendChange('DELETE', `/invitations/${invitation.invitation_id}`))}
                >
                  Withdraw
                </Button>
              </Group>
            )}
          </Group>
        ))}
      </Stack>
      {renewed && (
        <Dialog onClose={() => setRenewed(undefined)} title="Invitation renewed" isShownOnce>
          <InvitationLink {...renewed} onDone={() => setRenewed(undefined)} />
        </Dialog>
      )}
    </Box>
  );
}
