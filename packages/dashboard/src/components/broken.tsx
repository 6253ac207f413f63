import { Button, Text } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Entrance } from './entrance.tsx';

export function Broken({ error }: ErrorComponentProps) {
  return (
    <Entrance title="That did not work">
      <Text>{error instanceof Error ? error.message : String(error)}</Text>
      <Button onClick={() => window.location.reload()}>Try again</Button>
    </Entrance>
  );
}
