import { Button, Text } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { CentredPage } from './centred-page.tsx';

export function ErrorPage({ error }: ErrorComponentProps) {
  return (
    <CentredPage title="Something went wrong">
      <Text>{error instanceof Error ? error.message : String(error)}</Text>
      <Button onClick={() => window.location.reload()}>Try again</Button>
    </CentredPage>
  );
}
