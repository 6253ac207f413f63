import { Box, Center, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';

interface CentredPageProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** The layout of pages without the navigation: signing in, one-time links and errors. */
export function CentredPage({ title, description, children }: CentredPageProps) {
  useDocumentTitle(`${title} · Rollcall`);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={380} gap="lg">
        <Logo />
        <Box>
          <Title order={1}>{title}</Title>
          {description && (
            <Text c="dimmed" size="sm" mt={4}>
              {description}
            </Text>
          )}
        </Box>
        {children}
      </Stack>
    </Center>
  );
}
