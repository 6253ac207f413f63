import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { ProfileRecord } from '#contract/members/profile.ts';
import { Section } from '../components/section.tsx';
import { Time } from '../components/time.tsx';
import { notifyOnError } from '../notify-on-error.ts';
import { useSendChange } from '../use-send-change.ts';

export function SessionsSection({ sessions }: { sessions: ProfileRecord['sessions'] }) {
  const sendChange = useSendChange();
  return (
    <Section
      title="Where you are signed in"
      description="If you do not recognise a browser, sign it out and change your password."
    >
      <Stack gap="sm">
        {sessions.map((session) => (
          <Group key={session.session_id} justify="space-between" wrap="nowrap">
            <Box>
              <Text size="sm">
                {browserName(session.agent)} from {session.address}
                {session.is_current && <b> (this browser)</b>}
              </Text>
              <Text size="xs" c="dimmed">
                Signed in <Time value={session.created_at} />, last active{' '}
                <Time value={session.seen_at} as="relative" />
              </Text>
            </Box>
            {!session.is_current && (
              <Button
                size="compact-sm"
                variant="default"
                flex="none"
                aria-label={`Sign out ${browserName(session.agent)} from ${session.address}`}
                onClick={() => notifyOnError(sendChange('DELETE', `/profile/sessions/${session.session_id}`))}
              >
                Sign out
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

/** Such as `Firefox on Windows`. The order matters, because every browser also claims to be others. */
function browserName(agent: string): string {
  const browser = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => agent.includes(name));
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac', 'Linux'].find((name) => agent.includes(name));
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' };
  if (!browser) return 'Unknown browser';
  return `${names[browser] ?? browser}${system ? ` on ${system}` : ''}`;
}
