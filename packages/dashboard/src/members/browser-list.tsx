import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { BrowserRecord } from '#contract/members/browsers.ts';
import { addressText } from '../address-text.ts';
import { Address } from '../components/address.tsx';
import { Time } from '../components/time.tsx';
import { notifyOnError } from '../notify-on-error.ts';
import { useSendChange } from '../use-send-change.ts';

interface BrowserListProps {
  browsers: BrowserRecord[];
  /** Where a session of the list can be deleted. */
  path: string;
}

/** The browsers in which a member is signed in. */
export function BrowserList({ browsers, path }: BrowserListProps) {
  const sendChange = useSendChange();
  return (
    <Stack gap="sm">
      {browsers.map((browser) => (
        <Group key={browser.session_id} justify="space-between" wrap="nowrap">
          <Box>
            <Text size="sm">
              {browserName(browser.agent)} from <Address value={browser.address} />
              {browser.is_current && <b> (this browser)</b>}
            </Text>
            <Text size="xs" c="dimmed">
              Signed in <Time value={browser.created_at} />, last active <Time value={browser.seen_at} as="relative" />
            </Text>
          </Box>
          {!browser.is_current && (
            <Button
              size="compact-sm"
              variant="default"
              flex="none"
              aria-label={`Sign out ${browserName(browser.agent)} from ${addressText(browser.address)}`}
              onClick={() => notifyOnError(sendChange('DELETE', `${path}/${browser.session_id}`))}
            >
              Sign out
            </Button>
          )}
        </Group>
      ))}
    </Stack>
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
