import { Group, Text } from '@mantine/core';

export function Logo() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/favicon.svg" width={24} height={24} alt="" />
      <Text fw={650} size="md" lh={1}>
        Rollcall
      </Text>
    </Group>
  );
}
