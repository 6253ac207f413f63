import { Anchor, Text } from '@mantine/core';
import { CenteredPage } from './centered-page.tsx';

export function NotFoundPage() {
  return (
    <CenteredPage title="Page not found">
      <Text>
        There is no page at this address. <Anchor href="/">Go to the overview</Anchor>
      </Text>
    </CenteredPage>
  );
}
