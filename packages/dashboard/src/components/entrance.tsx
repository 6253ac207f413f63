import { Box, Center, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';

/** The frame of the pages that are open to everybody: the ways in. */
export function Entrance({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useDocumentTitle(`${title} · Rollcall`);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={380} gap="lg">
        <Logo />
        <Box>
          <Title order={1}>{title}</Title>
          {lead && (
            <Text c="dimmed" size="sm" mt={4}>
              {lead}
            </Text>
          )}
        </Box>
        {children}
      </Stack>
    </Center>
  );
}
