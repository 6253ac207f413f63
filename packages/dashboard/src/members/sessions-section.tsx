import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { ProfileRecord } from '#contract/members/profile.ts';
import { Section } from '../components/section.tsx';
import { Time } from '../components/time.tsx';
import { report } from '../report.ts';
import { useChange } from '../use-change.ts';

export function SessionsSection({ sessions }: { sessions: ProfileRecord['sessions'] }) {
  const change = useChange();
  return (
    <Section
      title="Where you are signed in"
      lead="Sign out a browser that you do not recognise, then change your password."
    >
      <Stack gap="sm">
        {sessions.map((session) => (
          <Group key={session.session_id} justify="space-between" wrap="nowrap">
            <Box>
              <Text size="sm">
                {nameOf(session.agent)} from {session.address}
                {session.is_current && <b> (this browser)</b>}
              </Text>
              <Text size="xs" c="dimmed">
                signed in <Time value={session.created_at} />, last seen <Time value={session.seen_at} as="ago" />
              </Text>
            </Box>
            {!session.is_current && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Sign out ${nameOf(session.agent)} from ${session.address}`}
                onClick={() => report(change('DELETE', `/profile/sessions/${session.session_id}`))}
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

/** `Firefox on Windows` is what people recognise; the order matters, as every browser claims to be others too. */
function nameOf(agent: string): string {
  const browser = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => agent.includes(name));
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac', 'Linux'].find((name) => agent.includes(name));
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' };
  if (!browser) return 'A program';
  return `${names[browser] ?? browser}${system ? ` on ${system}` : ''}`;
}
