import { Box, Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

export interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, description, actions }: PageHeaderProps) {
  useDocumentTitle(`${title} · Rollcall`);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <Box>
        <Title order={1} tabIndex={-1}>
          {title}
        </Title>
        {description && (
          <Text c="dimmed" size="sm" mt={4}>
            {description}
          </Text>
        )}
      </Box>
      {actions && (
        <Group gap="xs" className="page-actions">
          {actions}
        </Group>
      )}
    </Group>
  );
}
