import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shown in place of an empty list: why it is empty, and what to do next. */
export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <Center className="surface" py={56} px="md">
      <Stack align="center" gap={6} maw={420}>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" size="sm" ta="center" mb={action ? 'xs' : 0} className="balanced">
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}
