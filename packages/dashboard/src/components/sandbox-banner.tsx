import { Box, Text } from '@mantine/core';

export function SandboxBanner() {
  return (
    <Box className="sandbox-banner" role="note">
      <Text size="sm" fw={600} span>
        Sandbox.
      </Text>{' '}
      <Text size="sm" span>
        Everything on this page is test data, with keys of its own.
      </Text>
    </Box>
  );
}
