import { Box, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  lead?: ReactNode;
  mt?: string;
  children: ReactNode;
}

export function Section({ title, lead, mt, children }: SectionProps) {
  return (
    <Box className="surface" component="section" {...(mt && { mt })} p={{ base: 'md', sm: 'lg' }}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {lead && (
        <Text size="sm" c="dimmed" mt={2}>
          {lead}
        </Text>
      )}
      <Box mt="md">{children}</Box>
    </Box>
  );
}
