import { Anchor, Text } from '@mantine/core';
import { CentredPage } from './centred-page.tsx';

export function NotFoundPage() {
  return (
    <CentredPage title="Page not found">
      <Text>
        There is no page at this address. <Anchor href="/">Go to the overview</Anchor>
      </Text>
    </CentredPage>
  );
}
