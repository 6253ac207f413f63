import { Anchor, Text } from '@mantine/core';
import { Entrance } from './entrance.tsx';

export function NotFoundPage() {
  return (
    <Entrance title="Nothing here">
      <Text>
        This address leads nowhere. <Anchor href="/">Go to the overview</Anchor>.
      </Text>
    </Entrance>
  );
}
