import { Box, Text, Title } from '@mantine/core';
import type { ReactNode, Ref } from 'react';

interface SectionProps {
  title: string;
  /** To put the focus on the title. */
  titleRef?: Ref<HTMLHeadingElement>;
  description?: ReactNode;
  mt?: string;
  children: ReactNode;
}

export function Section({ title, titleRef, description, mt, children }: SectionProps) {
  return (
    <Box className="surface" component="section" {...(mt && { mt })} p={{ base: 'md', sm: 'lg' }}>
      <Title order={2} size="h4" {...(titleRef && { ref: titleRef, tabIndex: -1 })}>
        {title}
      </Title>
      {description && (
        <Text size="sm" c="dimmed" mt={2}>
          {description}
        </Text>
      )}
      <Box mt="md">{children}</Box>
    </Box>
  );
}
