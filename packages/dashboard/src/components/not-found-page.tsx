import { Anchor, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { parseEnvironment } from '../environment.ts';
import { CentredPage } from './centred-page.tsx';
import { EmptyState } from './empty-state.tsx';
import { PageHeader } from './page-header.tsx';

const TITLE = 'Page not found';

/** For an address outside the two environments, where there is no navigation. */
export function NotFoundPage() {
  return (
    <CentredPage title={TITLE}>
      <Text>
        There is no page at this address. <Anchor href="/">Go to the overview</Anchor>
      </Text>
    </CentredPage>
  );
}

/** The same beside the navigation, if the address begins with an environment. */
export function NotFoundInEnvironment() {
  const environment = parseEnvironment(useParams({ strict: false }).environment ?? null);
  if (!environment) return <NotFoundPage />;
  return (
    <>
      <PageHeader title={TITLE} />
      <EmptyState title="There is no page at this address">
        Choose one of the pages in the menu, or{' '}
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => <Link to="/$environment/overview" params={{ environment }} {...props} />}
        >
          go to the overview
        </Anchor>
        .
      </EmptyState>
    </>
  );
}
